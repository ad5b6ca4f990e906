/// What passes over a control socket: one message each way but for `ready`.
package enum Envelope: Sendable, Hashable {
  /// From the child: confined, waiting for its one input.
  case ready(SandboxPosture)
  /// To the child, with the descriptors of input and output.
  case request([UInt8])
  /// From the child: its one answer.
  case reply([UInt8])

  package var encoded: [UInt8] {
    switch self {
    case .ready(let posture): [1] + posture.encoded
    case .request(let body): [2] + body
    case .reply(let body): [3] + body
    }
  }

  package init(decoding bytes: [UInt8]) throws(MessageFailure) {
    guard let kind = bytes.first else { throw .truncated }
    let body = Array(bytes.dropFirst())
    switch kind {
    case 1: self = .ready(try SandboxPosture(decoding: body))
    case 2: self = .request(body)
    case 3: self = .reply(body)
    default: throw .badValue("kind \(kind)")
    }
  }
}
