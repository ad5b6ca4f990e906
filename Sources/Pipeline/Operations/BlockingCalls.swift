/// Threads for calls that block (fsync, SQLite, locks), so that none of the few threads that run
/// tasks ever waits for a disk.
package struct BlockingCalls: Sendable {
  private let threads: BlockingThreads

  /// `most` calls run at once, the others wait for one of these to return. libdispatch has 255 threads
  /// for all that block.
  package init(label: String, most: Int = 8) {
    threads = BlockingThreads(label: label, most: most)
  }

  /// Runs `body` on a thread of its own and suspends the task until it returns. Cancellation does
  /// not stop it: no C call can be trusted to. Where calls wait for a thread, the earliest turn is the
  /// next.
  package func run<Value: Sendable, Failure: Error>(
    turn: ContinuousClock.Instant = .now,
    _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
      threads.run(turn: turn) {
        continuation.resume(returning: Result(catching: body))
      }
    }
    return try result.get()
  }
}
