internal import Dispatch

/// Threads for calls that block (fsync, SQLite, locks), so that none of the few threads that run
/// tasks ever waits for a disk.
package struct BlockingCalls: Sendable {
  private let queue: DispatchQueue

  package init(label: String) {
    queue = DispatchQueue(label: label, attributes: .concurrent)
  }

  /// Runs `body` on a thread of its own and suspends the task until it returns. Cancellation does
  /// not stop it: no C call can be trusted to.
  package func run<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(returning: Result(catching: body))
      }
    }
    return try result.get()
  }
}
