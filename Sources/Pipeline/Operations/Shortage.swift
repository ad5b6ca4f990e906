internal import Media
internal import SharedCache

/// Runs `body` again, until the deadline, while it fails for want of descriptors or memory.
func throughShortage<Result: ~Copyable>(
  until deadline: Deadline, _ body: () async throws(CacheFailure) -> Result
) async throws(CacheFailure) -> Result {
  while true {
    do throws(CacheFailure) {
      return try await body()
    } catch {
      guard error.isShortage, !deadline.hasPassed,
        (try? await Task.sleep(for: .milliseconds(20))) != nil
      else { throw error }
    }
  }
}
