extension Span where Element == UInt8 {
  /// The byte at `offset`; nil out of reach.
  func byte(at offset: Int) -> UInt8? {
    indices.contains(offset) ? self[offset] : nil
  }

  /// Whether these very bytes stand at `offset`, all of them within reach.
  func holds(_ expected: some Collection<UInt8>, at offset: Int) -> Bool {
    guard offset >= 0, offset <= count, expected.count <= count - offset else { return false }
    var position = offset
    for byte in expected {
      if self[position] != byte { return false }
      position += 1
    }
    return true
  }

  /// Whether this ASCII text stands at `offset`.
  func holds(_ text: String, at offset: Int) -> Bool {
    holds(text.utf8, at: offset)
  }

  /// An unsigned big-endian number of at most 7 bytes; nil out of reach.
  func bigEndian(at offset: Int, bytes width: Int) -> Int? {
    guard offset >= 0, offset <= count, width <= count - offset else { return nil }
    var value = 0
    for index in offset..<offset + width { value = value << 8 | Int(self[index]) }
    return value
  }

  /// An unsigned little-endian number of at most 7 bytes; nil out of reach.
  func littleEndian(at offset: Int, bytes width: Int) -> Int? {
    guard offset >= 0, offset <= count, width <= count - offset else { return nil }
    var value = 0
    for index in (offset..<offset + width).reversed() { value = value << 8 | Int(self[index]) }
    return value
  }

  /// Four characters, as chunk and box types are; nil out of reach.
  func fourCharacters(at offset: Int) -> FourCharacters? {
    bigEndian(at: offset, bytes: 4).map { FourCharacters(UInt32($0)) }
  }

  /// Whether a four-character code stands anywhere.
  func contains(_ code: FourCharacters) -> Bool {
    var window: UInt32 = 0
    for index in indices {
      window = window << 8 | UInt32(self[index])
      if index >= 3, window == code.value { return true }
    }
    return false
  }
}

/// A chunk, box or brand name of four bytes.
struct FourCharacters: Hashable, ExpressibleByStringLiteral {
  let value: UInt32

  init(_ value: UInt32) {
    self.value = value
  }

  init(stringLiteral text: String) {
    value = text.utf8.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }
}
