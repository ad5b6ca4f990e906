/// In which order the bytes of a number stand.
enum ByteOrder {
  case big
  case little

  /// That of a TIFF file (TIFF 6.0 section 2); nil where the bytes are none.
  init?(ofTIFF bytes: [UInt8]) {
    if bytes.matches("II*\0") {
      self = .little
    } else if bytes.matches("MM\0*") {
      self = .big
    } else {
      return nil
    }
  }

  /// `value` with the byte that stands at `index` of its number put in.
  func appending(_ byte: UInt8, at index: Int, to value: Int) -> Int {
    switch self {
    case .big: value << 8 | Int(byte)
    case .little: value | Int(byte) << (8 * index)
    }
  }
}

extension [UInt8] {
  /// An unsigned number of at most four bytes; nil where it does not lie in the array.
  func unsigned(at offset: Int, bytes count: Int, _ order: ByteOrder) -> Int? {
    guard offset >= 0, offset <= self.count, count <= self.count - offset else { return nil }
    var value = 0
    for index in 0..<count { value = order.appending(self[offset + index], at: index, to: value) }
    return value
  }

  /// Whether the bytes at `offset` are these.
  func matches(_ expected: StaticString, at offset: Int = 0) -> Bool {
    let length = expected.utf8CodeUnitCount
    guard offset >= 0, offset <= count, length <= count - offset else { return false }
    return unsafe UnsafeBufferPointer(start: expected.utf8Start, count: length)
      .elementsEqual(self[offset..<(offset + length)])
  }
}
