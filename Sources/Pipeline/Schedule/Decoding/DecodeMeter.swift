internal import Synchronization

/// Follows what decoding costs, for all jobs of a process.
package final class DecodeMeter: Sendable {
  private let state: Mutex<DecodeCosts>

  package init(_ costs: DecodeCosts = DecodeCosts()) {
    state = Mutex(costs)
  }

  package var costs: DecodeCosts { state.withLock { $0 } }

  /// Takes what was known before, in place of what was supposed.
  func begin(with costs: DecodeCosts) {
    state.withLock { $0 = costs }
  }

  func estimate(of subject: DecodeSubject) -> DecodeEstimate {
    state.withLock { $0.estimate(of: subject) }
  }

  func note(_ time: Duration, for subject: DecodeSubject, isAtLeast: Bool = false) {
    state.withLock { $0.note(time, for: subject, isAtLeast: isAtLeast) }
  }

  func noteRefusal(of subject: DecodeSubject) {
    state.withLock { $0.noteRefusal(of: subject) }
  }
}
