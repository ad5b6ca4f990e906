package import Media
internal import Synchronization

/// By when others want what a task decodes; they wait for it, as the task's own turn may not come so
/// soon.
package final class DecodeUrgency: Sendable {
  private struct State {
    var deadline: Deadline?
    var hurry: (@Sendable (Deadline) -> Void)?
  }

  /// Of the decodes that the current task waits for.
  @TaskLocal package static var current: DecodeUrgency?

  private let state = Mutex(State())

  package init() {}

  /// Somebody wants it by `deadline`.
  package func note(_ deadline: Deadline) {
    let hurry = state.withLock { state -> (@Sendable (Deadline) -> Void)? in
      if let known = state.deadline, known <= deadline { return nil }
      state.deadline = deadline
      return state.hurry
    }
    hurry?(deadline)
  }

  /// Has `hurry` told of the earliest deadline, now and later, while the decode waits.
  func attach(_ hurry: @escaping @Sendable (Deadline) -> Void) {
    let deadline = state.withLock { state in
      state.hurry = hurry
      return state.deadline
    }
    if let deadline { hurry(deadline) }
  }

  func detach() {
    state.withLock { $0.hurry = nil }
  }
}
