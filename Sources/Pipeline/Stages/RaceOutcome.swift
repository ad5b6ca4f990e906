internal import Synchronization

/// Whether a race of candidates has been won, and for how long its downloads were held back.
package final class RaceOutcome: Sendable {
  private struct Holds {
    var count = 0
    var began = ContinuousClock.now
    var time = Duration.zero
  }

  private let decided = Atomic(false)
  private let holds = Mutex(Holds())

  package init() {}

  var isDecided: Bool { decided.load(ordering: .acquiring) }

  func decide() {
    decided.store(true, ordering: .releasing)
  }

  /// A download waits for a decoder's sake from now on.
  package func beginHold() {
    holds.withLock { holds in
      if holds.count == 0 { holds.began = .now }
      holds.count += 1
    }
  }

  package func endHold() {
    holds.withLock { holds in
      holds.count -= 1
      if holds.count == 0 { holds.time += holds.began.duration(to: .now) }
    }
  }

  /// For how long at least one has waited.
  private var heldTime: Duration {
    holds.withLock { $0.time + ($0.count > 0 ? $0.began.duration(to: .now) : .zero) }
  }

  private static let lookInterval = Duration.milliseconds(50)

  /// Sleeps as long as told, the time not counted in which a download is held back.
  package func sleep(for duration: Duration) async throws {
    let start = ContinuousClock.now
    let heldBefore = heldTime
    try await Task.sleep(for: duration)
    while case let rest = duration + heldTime - heldBefore - start.duration(to: .now), rest > .zero
    {
      try await Task.sleep(for: max(rest, Self.lookInterval))
    }
  }
}
