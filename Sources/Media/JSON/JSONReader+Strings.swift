extension JSONReader {
  /// Reads a string whose opening quote is the current byte.
  mutating func readString() throws(JSONFailure) -> String {
    position += 1
    let start = position
    try skipPlainCharacters()
    if current == UInt8(ascii: "\"") {
      defer { position += 1 }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }
    return try readEscapedString(Array(bytes[start..<position]))
  }

  private mutating func readEscapedString(_ start: [UInt8]) throws(JSONFailure) -> String {
    var text = start
    while true {
      let plain = position
      try skipPlainCharacters()
      text += bytes[plain..<position]
      if take(UInt8(ascii: "\"")) { return String(decoding: text, as: UTF8.self) }
      position += 1
      text += Array(String(try readEscape()).utf8)
    }
  }

  /// Stops at a quote or a backslash.
  private mutating func skipPlainCharacters() throws(JSONFailure) {
    while let byte = current {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return }
      guard byte >= 0x20 else { throw failure("control character in a string") }
      position += 1
    }
    throw failure("unterminated string")
  }

  private mutating func readEscape() throws(JSONFailure) -> Unicode.Scalar {
    guard let byte = current else { throw failure("unterminated string") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try readUnicodeEscape()
    default:
      position -= 1
      throw failure("unknown escape")
    }
  }

  private mutating func readUnicodeEscape() throws(JSONFailure) -> Unicode.Scalar {
    let first = try readFourDigits()
    guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
    let rest = position
    if take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
      let second = try readFourDigits()
      if UTF16.isTrailSurrogate(second) {
        let value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
        return Unicode.Scalar(value) ?? "\u{FFFD}"
      }
    }
    position = rest
    return "\u{FFFD}"
  }

  private mutating func readFourDigits() throws(JSONFailure) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw failure("expected four hexadecimal digits")
      }
      value = value << 4 | UInt16(digit)
      position += 1
    }
    return value
  }
}
