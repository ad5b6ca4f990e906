package import Media

/// A limit that may move while it is waited for.
package struct MovingLimit: Sendable {
  /// Where it lies now.
  package let deadline: @Sendable () -> Deadline
  /// Is told by how much later than asked a look at it came.
  private let noteDelay: @Sendable (Duration) -> Void

  private static let lookInterval = Duration.milliseconds(100)

  package init(
    _ deadline: @escaping @Sendable () -> Deadline,
    noteDelay: @escaping @Sendable (Duration) -> Void = { _ in }
  ) {
    self.deadline = deadline
    self.noteDelay = noteDelay
  }

  package static func fixed(_ deadline: Deadline) -> MovingLimit { MovingLimit { deadline } }

  /// Waits until it is there; false where the task was cancelled before.
  func comes() async -> Bool {
    while true {
      let now = ContinuousClock.now
      let limit = deadline().instant
      guard limit > now else { return true }
      let look = min(limit, now.advanced(by: Self.lookInterval))
      guard (try? await Task.sleep(until: look, clock: .continuous)) != nil else { return false }
      noteDelay(look.duration(to: .now))
    }
  }
}
