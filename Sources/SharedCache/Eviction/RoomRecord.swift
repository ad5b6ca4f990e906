internal import Synchronization

/// Whether room could lately be had: who has waited for it in vain spares others the same wait.
final class RoomRecord: Sendable {
  private struct State {
    var scarceUntil = ContinuousClock.now
    var refused = 0
  }

  private static let memory = Duration.seconds(1)
  private let state = Mutex(State())

  /// Whether waiting was in vain a moment ago.
  var isScarce: Bool { state.withLock { $0.scarceUntil > .now } }

  func noteRefused() {
    state.withLock { state in
      state.scarceUntil = .now.advanced(by: Self.memory)
      state.refused += 1
    }
  }

  func noteFound() {
    state.withLock { $0.scarceUntil = .now }
  }

  /// How many publications were refused since this was last asked.
  func takeRefused() -> Int {
    state.withLock { state in
      defer { state.refused = 0 }
      return state.refused
    }
  }
}
