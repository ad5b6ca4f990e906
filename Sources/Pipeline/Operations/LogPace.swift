internal import Synchronization

/// Lets a message that repeats through once in ten seconds, and counts those that it keeps back.
package final class LogPace: Sendable {
  static let interval = Duration.seconds(10)

  private let state = Mutex<(next: ContinuousClock.Instant?, keptBack: Int)>((nil, 0))

  package init() {}

  /// How many were kept back since the last that was let through; nil where this one is kept back.
  package func admit(now: ContinuousClock.Instant = .now) -> Int? {
    state.withLock { state in
      if let next = state.next, now < next {
        state.keptBack += 1
        return nil
      }
      defer { state = (now.advanced(by: Self.interval), 0) }
      return state.keptBack
    }
  }
}

extension Log {
  /// Tells an error unless the same was told lately.
  func error(_ message: String, at pace: LogPace) {
    guard let keptBack = pace.admit() else { return }
    error(message + (keptBack > 0 ? " (\(keptBack) more times since the last line)" : ""))
  }

  /// The same of a warning.
  func warning(_ message: String, at pace: LogPace) {
    guard let keptBack = pace.admit() else { return }
    warning(message + (keptBack > 0 ? " (\(keptBack) more times since the last line)" : ""))
  }
}
