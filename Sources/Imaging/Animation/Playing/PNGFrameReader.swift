internal import Media

/// What a frame control chunk declares (PNG third edition, section 11.3.6.2).
struct PNGFrameControl {
  let part: PixelRectangle
  let milliseconds: Double
  let disposal: FrameDisposal
  /// Whether the frame is blended over the canvas; else it takes its place, alpha and all.
  let isBlended: Bool

  init?(_ payload: [UInt8]) {
    let numbers = [4, 8, 12, 16].compactMap { payload.unsigned(at: $0, bytes: 4, .big) }
    guard payload.count == 26, numbers.count == 4,
      let milliseconds = PNGAnimation.delay(payload),
      numbers.allSatisfy({ $0 <= Int(Int32.max) })
    else { return nil }
    part = PixelRectangle(
      left: numbers[2], top: numbers[3], width: numbers[0], height: numbers[1])
    self.milliseconds = milliseconds
    disposal = payload[24] == 1 ? .clear : payload[24] == 2 ? .restore : .keep
    isBlended = payload[25] == 1
  }
}

/// Takes an animated PNG apart: each frame's control and where its image data lie. The data of the
/// default image are a frame's only where a control stands before them.
struct PNGFrameReader {
  struct Frame {
    let control: PNGFrameControl
    /// Stretches of one compressed stream.
    var data: [Range<Int>]
  }

  /// The header's payload, and the chunks that every frame shares: palette and transparency.
  private(set) var header: [UInt8] = []
  private(set) var shared: [Range<Int>] = []
  private var reader: InputReader
  private var offset = 8
  private var pending: Frame?
  private var hasEnded = false
  private var nextSequenceNumber = 0
  /// What is wrong behind the frame that was handed out last.
  private var failure: DecodeFailure?

  private static let maxStretches = 65_536

  /// Reads up to the first frame's control, or the default image.
  init(_ input: Int32) throws(DecodeFailure) {
    reader = try InputReader(input)
  }

  /// The next frame; nil at the end.
  mutating func next() throws(DecodeFailure) -> Frame? {
    if let failure { throw failure }
    while !hasEnded {
      guard let length = try reader.unsigned(at: offset, bytes: 4, .big),
        let type = reader.bytesIfAny(at: offset + 4, count: 4)
      else { throw .truncated("the animation ends in a chunk's header") }
      let payload = offset + 8..<offset + 8 + length
      guard payload.upperBound <= reader.size else {
        throw .truncated("the animation ends in a chunk")
      }
      offset = payload.upperBound + 4
      if let frame = try take(String(decoding: type, as: UTF8.self), payload) { return frame }
    }
    return nil
  }

  /// A frame, when the chunk shows that the one before it is whole.
  private mutating func take(
    _ type: String, _ payload: Range<Int>
  ) throws(DecodeFailure) -> Frame? {
    switch type {
    case "IHDR": header = try reader.bytes(at: payload.lowerBound, count: 13) ?? []
    case "PLTE", "tRNS": shared.append(payload.lowerBound - 8..<payload.upperBound + 4)
    case "fcTL": return try takeControl(payload)
    case "IDAT": try takeData(payload)
    case "fdAT" where payload.count >= 4:
      try takeSequenceNumber(payload)
      try takeData(payload.dropFirst(4))
    case "IEND":
      hasEnded = true
      return finished()
    default: break
    }
    return nil
  }

  /// The number that comes first in a chunk: what is out of order is an error (PNG third edition,
  /// section 4.9), behind which browsers show nothing either.
  private mutating func takeSequenceNumber(_ payload: Range<Int>) throws(DecodeFailure) {
    let number = try reader.unsigned(at: payload.lowerBound, bytes: 4, .big)
    guard number == nextSequenceNumber else {
      throw .corrupt("the animation's chunks are out of order")
    }
    nextSequenceNumber += 1
  }

  private mutating func takeControl(_ payload: Range<Int>) throws(DecodeFailure) -> Frame? {
    do throws(DecodeFailure) {
      try takeSequenceNumber(payload)
    } catch {
      failure = error
      if let frame = finished() { return frame }
      throw error
    }
    let count = min(payload.count, 64)
    guard let bytes = try reader.bytes(at: payload.lowerBound, count: count),
      let control = PNGFrameControl(bytes)
    else { throw .corrupt("a frame control chunk of \(payload.count) bytes") }
    let frame = finished()
    pending = Frame(control: control, data: [])
    return frame
  }

  private mutating func takeData(_ payload: Range<Int>) throws(DecodeFailure) {
    guard let count = pending?.data.count else { return }
    guard count < Self.maxStretches else { throw .corrupt("more chunks than any frame has") }
    pending?.data.append(payload)
  }

  private mutating func finished() -> Frame? {
    guard let frame = pending, !frame.data.isEmpty else { return nil }
    pending = nil
    return frame
  }
}

extension InputReader {
  /// `count` bytes from `offset` on; nil where they do not all lie in the input or cannot be read.
  fileprivate func bytesIfAny(at offset: Int, count: Int) -> [UInt8]? {
    (try? bytes(at: offset, count: count)) ?? nil
  }
}
