package import Media
internal import Synchronization

/// Downloads that no job waits for: few at a time, one for an address, ended with the worker.
package final class Revalidations: Sendable {
  /// At once; a copy beyond them is revalidated when it is used again.
  static let limit = 8

  private let state = Mutex(State())

  private struct State {
    var running: [String: Task<Void, Never>] = [:]
    /// No more are begun once there is one, and none goes on after it.
    var end: Deadline?
  }

  package init() {}

  /// Runs `work` beside everything else, unless work of this name runs, or too much does.
  /// Answers whether it does.
  @discardableResult
  func start(_ name: String, _ work: @escaping @Sendable () async -> Void) -> Bool {
    state.withLock { state in
      guard state.end == nil, state.running[name] == nil, state.running.count < Self.limit
      else { return false }
      state.running[name] = Task { [weak self] in
        await work()
        self?.ended(name)
      }
      return true
    }
  }

  /// Whether the worker is coming to its end.
  var isClosing: Bool { state.withLock { $0.end != nil } }

  private func ended(_ name: String) {
    state.withLock { $0.running[name] = nil }
  }

  /// Begins no more; what runs has until `end`, or until an earlier one that was told before.
  package func close(by end: Deadline) {
    let overdue = state.withLock { state -> [Task<Void, Never>] in
      state.end = state.end.map { min($0, end) } ?? end
      return end.hasPassed ? Array(state.running.values) : []
    }
    for task in overdue { task.cancel() }
  }

  /// Waits for what runs, which is cancelled at the end that `close` told.
  package func finish() async {
    let (tasks, end) = state.withLock { (Array($0.running.values), $0.end) }
    await withDiscardingTaskGroup { group in
      group.addTask {
        try? await Task.sleep(for: end?.remaining ?? .zero)
        for task in tasks { task.cancel() }
      }
      for task in tasks { await task.value }
      group.cancelAll()
    }
  }
}
