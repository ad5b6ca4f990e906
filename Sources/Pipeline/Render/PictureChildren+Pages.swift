package import Media
package import Sandbox

extension PictureChildren {
  /// Has a child of its own read one page. Pages share the slots of pictures: reading one is work
  /// for a processor too.
  package func readPage(
    _ request: PageRequest, from input: LocalInput, deadline: Deadline
  ) async throws(ChildFailure) -> PageReply {
    let result: Result<PageReply, ChildFailure>? = await slots.run(by: deadline) {
      do throws(ChildFailure) {
        return .success(
          try await supervisor.readPage(request, input: input.descriptor, deadline: deadline))
      } catch {
        return .failure(error)
      }
    }
    guard let result else { throw .timedOut }
    return try result.get()
  }
}
