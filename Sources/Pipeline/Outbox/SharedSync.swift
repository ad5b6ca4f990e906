internal import Dispatch
package import Files
internal import Synchronization

/// One fsync for all threads that want one at the same time: a call returns when a sync that began
/// after it has ended (group commit).
package final class SharedSync: Sendable {
  private final class Waiter: Sendable {
    let semaphore = DispatchSemaphore(value: 0)
    /// Nil for the one that is to sync for its group.
    let outcome = Mutex<Result<Void, SystemCallFailure>?>(nil)
  }

  private struct State {
    var isRunning = false
    var waiting: [Waiter] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// Syncs by `sync`, or has another thread do so; all of a group get the same outcome.
  package func run(
    _ sync: () throws(SystemCallFailure) -> Void
  ) throws(SystemCallFailure) {
    let waiter = Waiter()
    let leads = state.withLock { state in
      state.waiting.append(waiter)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if !leads {
      waiter.semaphore.wait()
      if let outcome = waiter.outcome.withLock({ $0 }) { return try outcome.get() }
    }
    try lead(sync)
  }

  /// Syncs for all that wait by now, and leaves the lead to the first who came meanwhile.
  private func lead(
    _ sync: () throws(SystemCallFailure) -> Void
  ) throws(SystemCallFailure) {
    let group = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    let outcome = Result(catching: sync)
    for waiter in group {
      waiter.outcome.withLock { $0 = outcome }
      waiter.semaphore.signal()
    }
    let next = state.withLock { state in
      state.isRunning = !state.waiting.isEmpty
      return state.waiting.first
    }
    next?.semaphore.signal()
    try outcome.get()
  }
}
