package import Media

/// Why a child gave no answer that can be used.
package enum ChildFailure: Error, Sendable, Hashable {
  /// It was ended by a signal that nobody sent on purpose.
  case crashed(signal: Int32)
  /// It ended by itself, without an answer.
  case exited(code: Int32)
  /// It was killed at the deadline, or used up its processor time.
  case timedOut
  /// An allocation failed, or its peak reached the limit.
  case outOfMemory
  /// It called what the filter does not allow (SIGSYS).
  case sandboxViolation
  /// It spoke when it should not, or said what cannot be.
  case protocolViolation(String)
  /// The caller lost interest; the child was killed.
  case cancelled
  /// No child was fed: it could not have ended in time, or others would have been late for it.
  case notStarted(String)
  /// No child could be started, or none that is confined: the environment is at fault.
  case unavailable(String)
}

extension ChildFailure {
  /// The failure in the contract's terms.
  package func problem(_ stage: Problem.Stage) -> Problem {
    Problem(stage, code, description)
  }

  /// The failure in the contract's terms, met while decoding.
  package var problem: Problem { problem(.decode) }

  private var code: Problem.Code {
    switch self {
    case .crashed, .exited, .protocolViolation, .unavailable: .decoderCrashed
    case .timedOut: .decoderTimeout
    case .outOfMemory: .decoderMemory
    case .sandboxViolation: .sandboxViolation
    case .cancelled, .notStarted: .deadlineExceeded
    }
  }
}

extension ChildFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .crashed(let signal): "the decoder was ended by signal \(signal)"
    case .exited(let code): "the decoder ended with code \(code) and no answer"
    case .timedOut: "the decoder used up its time and was killed"
    case .outOfMemory: "the decoder used up its memory"
    case .sandboxViolation: "the decoder made a forbidden system call and was killed"
    case .protocolViolation(let what): "the decoder broke the protocol: \(what)"
    case .cancelled: "the decoder was stopped, its answer no longer wanted"
    case .notStarted(let reason): "decoding was not started: \(reason)"
    case .unavailable(let reason): "no decoder can be used: \(reason)"
    }
  }
}
