internal import Imaging

/// The bytes of one box, read field by field in network byte order; never past their end.
struct BoxContent {
  let type: FourCharacterCode
  private let bytes: [UInt8]
  private var position = 0

  init(_ type: FourCharacterCode, _ bytes: [UInt8]) {
    self.type = type
    self.bytes = bytes
  }

  var remaining: Int { bytes.count - position }

  /// An unsigned number of 0 to 8 bytes that fits an Int.
  mutating func number(bytes count: Int) throws(DecodeFailure) -> Int {
    guard count <= 8 else { throw .corrupt("a number of \(count) bytes in the \(type) box") }
    guard count <= remaining else { throw .corrupt("the \(type) box ends early") }
    var value: UInt64 = 0
    for byte in bytes[position..<position + count] { value = value << 8 | UInt64(byte) }
    position += count
    guard let number = Int(exactly: value) else {
      throw .corrupt("a number in the \(type) box is out of range")
    }
    return number
  }

  mutating func code() throws(DecodeFailure) -> FourCharacterCode {
    FourCharacterCode(UInt32(truncatingIfNeeded: try number(bytes: 4)))
  }

  /// A 32-bit two's complement number.
  mutating func signedNumber() throws(DecodeFailure) -> Int {
    Int(Int32(truncatingIfNeeded: try number(bytes: 4)))
  }

  /// Version and flags of a full box (ISO/IEC 14496-12, 4.2).
  mutating func versionAndFlags() throws(DecodeFailure) -> (version: Int, flags: Int) {
    (try number(bytes: 1), try number(bytes: 3))
  }

  /// Text up to a zero byte or the end.
  mutating func text() -> String {
    let rest = bytes[position...]
    let characters = rest.prefix { $0 != 0 }
    position = min(bytes.count, characters.endIndex + 1)
    return String(decoding: characters, as: UTF8.self)
  }

  mutating func skip(_ count: Int) throws(DecodeFailure) {
    guard count <= remaining else { throw .corrupt("the \(type) box ends early") }
    position += count
  }

  mutating func bytes(_ count: Int) throws(DecodeFailure) -> [UInt8] {
    let start = position
    try skip(count)
    return Array(bytes[start..<position])
  }

  mutating func rest() -> [UInt8] {
    defer { position = bytes.count }
    return Array(bytes[position...])
  }

  /// The next box inside this one; nil at the end.
  mutating func childBox() throws(DecodeFailure) -> BoxContent? {
    guard remaining > 0 else { return nil }
    let start = position
    var size = try number(bytes: 4)
    let type = try code()
    if size == 1 { size = try number(bytes: 8) }
    if size == 0 { size = bytes.count - start }
    let header = position - start
    guard size >= header, size - header <= remaining else {
      throw .corrupt("the \(type) box does not fit into the \(self.type) box")
    }
    defer { position = start + size }
    return BoxContent(type, Array(bytes[position..<start + size]))
  }
}
