package import Media

/// Why a picture could not be read or made. Each case maps to one problem code.
package enum DecodeFailure: Error, Sendable, Hashable {
  /// The bytes contradict their format; the library's message.
  case corrupt(String)
  /// The data ends before the picture does.
  case truncated(String)
  /// A valid file of a kind that is not decoded (arithmetic JPEG, 12-bit JPEG, HEIF sequences…).
  case unsupported(String)
  case tooManyPixels(declared: Int, limit: Int)
  case tooManyFrames(declared: Int, limit: Int)
  /// An allocation failed.
  case outOfMemory
  /// No rendition fits in its bytes: the smallest that was reached, and the budget.
  case byteBudget(smallest: Int, budget: Int)
  /// A read or write of a descriptor failed; the call and its errno.
  case inputOutput(String)
}

extension DecodeFailure {
  /// The contract's form of this failure.
  package var problem: Problem {
    switch self {
    case .corrupt(let message): Problem(.decode, .corrupt, message)
    case .truncated(let message): Problem(.decode, .corrupt, "the data ends early: \(message)")
    case .unsupported(let message): Problem(.decode, .unsupportedFormat, message)
    case .tooManyPixels(let declared, let limit):
      Problem(.decode, .tooManyPixels, "\(declared) pixels declared, the limit is \(limit)")
    case .tooManyFrames(let declared, let limit):
      Problem(.decode, .tooManyFrames, "\(declared) frames declared, the limit is \(limit)")
    case .outOfMemory: Problem(.decode, .decoderMemory, "the decoder ran out of memory")
    case .byteBudget(let smallest, let budget):
      Problem(
        .decode, .byteBudget,
        "the smallest rendition has \(smallest) bytes, the budget is \(budget)")
    case .inputOutput(let message):
      Problem(.decode, .decoderCrashed, "the decoder could not read or write: \(message)")
    }
  }
}
