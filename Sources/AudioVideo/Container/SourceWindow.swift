internal import Imaging

/// Reads a file in blocks, for who looks at most of its bytes from front to back.
struct SourceWindow {
  let file: SourceFile
  private var start = 0
  private var block: [UInt8] = []

  static let blockBytes = 256 << 10

  init(_ file: SourceFile) {
    self.file = file
  }

  /// The bytes from an offset on: `count`, a block's at most, or fewer where the file ends.
  mutating func bytes(at offset: Int, count: Int) throws(DecodeFailure) -> ArraySlice<UInt8> {
    let end = min(file.size, offset + min(count, Self.blockBytes))
    guard offset >= 0, offset < end else { return [] }
    if offset < start || end > start + block.count {
      block = try file.bytes(at: offset, count: min(Self.blockBytes, file.size - offset))
      start = offset
    }
    return block[offset - start..<end - start]
  }

  /// What is at hand of a range, from its beginning on: a byte at least, unless the file ends there.
  mutating func some(of range: Range<Int>) throws(DecodeFailure) -> ArraySlice<UInt8> {
    let atHand = start + block.count - range.lowerBound
    let isAtHand = range.lowerBound >= start && atHand > 0
    return try bytes(
      at: range.lowerBound, count: isAtHand ? min(atHand, range.count) : range.count)
  }

  /// Hands on all bytes of a range, a block at a time, each with where it begins.
  mutating func forEachBlock(
    in range: Range<Int>, _ body: (ArraySlice<UInt8>, Int) throws(DecodeFailure) -> Void
  ) throws(DecodeFailure) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let bytes = try bytes(at: offset, count: range.upperBound - offset)
      guard !bytes.isEmpty else { return }
      try body(bytes, offset)
      offset += bytes.count
    }
  }

  /// Whether all bytes of a range are the same given one.
  mutating func holdsOnly(_ byte: UInt8, in range: Range<Int>) throws(DecodeFailure) -> Bool {
    var isPlain = true
    try forEachBlock(in: range) { (bytes, _) in
      isPlain = isPlain && bytes.allSatisfy { $0 == byte }
    }
    return isPlain
  }

  /// A number in big-endian order; nil where the file ends before.
  mutating func bigEndian(at offset: Int, bytes count: Int) throws(DecodeFailure) -> Int? {
    let bytes = try bytes(at: offset, count: count)
    return bytes.count == count ? bytes.reduce(0) { $0 << 8 | Int($1) } : nil
  }
}
