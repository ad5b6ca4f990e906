/// Why bytes are no JSON document, and where.
package struct JSONFailure: Error, Sendable, Hashable, CustomStringConvertible {
  package let reason: String
  /// Counted from 1.
  package let line: Int
  /// Bytes from the start of the line, counted from 1.
  package let column: Int

  package var description: String { "\(reason) at line \(line), column \(column)" }
}

/// Reads one JSON document (RFC 8259) within fixed bounds. A byte order mark is passed over, and
/// what is no UTF-8 becomes U+FFFD, as do lone surrogates: both are common, and a text with one bad
/// character is worth more than none.
package struct JSONReader {
  /// What a document may cost.
  package struct Limits: Sendable {
    /// Arrays and objects inside each other.
    package var depth = 128
    /// Values and members in all: a value takes some 16 to 80 bytes once it is read.
    package var values = 500_000

    package init() {}
  }

  let bytes: [UInt8]
  var position = 0
  private let limits: Limits
  private var valuesLeft: Int

  private init(_ bytes: [UInt8], limits: Limits) {
    self.bytes = bytes
    self.limits = limits
    valuesLeft = limits.values
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// Reads a document that fills `bytes`, white space aside.
  package static func read(
    _ bytes: [UInt8], limits: Limits = Limits()
  ) throws(JSONFailure) -> JSONValue {
    var reader = JSONReader(bytes, limits: limits)
    let value = try reader.readValue(depth: 0)
    reader.skipWhiteSpace()
    guard reader.position == bytes.count else { throw reader.failure("unexpected data") }
    return value
  }

  private mutating func readValue(depth: Int) throws(JSONFailure) -> JSONValue {
    skipWhiteSpace()
    guard depth <= limits.depth else { throw failure("nested deeper than \(limits.depth)") }
    guard valuesLeft > 0 else { throw failure("more than \(limits.values) values") }
    valuesLeft -= 1
    switch current {
    case UInt8(ascii: "{"): return .object(try readObject(depth: depth))
    case UInt8(ascii: "["): return .array(try readArray(depth: depth))
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "t"): return try readWord("true", .bool(true))
    case UInt8(ascii: "f"): return try readWord("false", .bool(false))
    case UInt8(ascii: "n"): return try readWord("null", .null)
    case nil: throw failure("unexpected end")
    default: return .number(try readNumber())
    }
  }

  private mutating func readArray(depth: Int) throws(JSONFailure) -> [JSONValue] {
    position += 1
    var elements: [JSONValue] = []
    skipWhiteSpace()
    if take(UInt8(ascii: "]")) { return elements }
    while true {
      elements.append(try readValue(depth: depth + 1))
      skipWhiteSpace()
      if take(UInt8(ascii: "]")) { return elements }
      guard take(UInt8(ascii: ",")) else { throw failure("expected , or ]") }
    }
  }

  private mutating func readObject(depth: Int) throws(JSONFailure) -> JSONObject {
    position += 1
    var object = JSONObject()
    skipWhiteSpace()
    if take(UInt8(ascii: "}")) { return object }
    while true {
      skipWhiteSpace()
      guard current == UInt8(ascii: "\"") else { throw failure("expected a name") }
      let name = try readString()
      skipWhiteSpace()
      guard take(UInt8(ascii: ":")) else { throw failure("expected :") }
      object.members.append(.init(name: name, value: try readValue(depth: depth + 1)))
      skipWhiteSpace()
      if take(UInt8(ascii: "}")) { return object }
      guard take(UInt8(ascii: ",")) else { throw failure("expected , or }") }
    }
  }

  private mutating func readWord(
    _ word: String, _ value: JSONValue
  ) throws(JSONFailure) -> JSONValue {
    guard bytes[position...].starts(with: word.utf8) else {
      throw failure("unexpected character")
    }
    position += word.utf8.count
    return value
  }

  private mutating func readNumber() throws(JSONFailure) -> JSONNumber {
    let start = position
    let isNegative = take(UInt8(ascii: "-"))
    guard isNegative || current?.isDigit == true else { throw failure("unexpected character") }
    if !take(UInt8(ascii: "0")) { try skipDigits() }
    if take(UInt8(ascii: ".")) { try skipDigits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try skipDigits()
    }
    return JSONNumber(lexeme: String(decoding: bytes[start..<position], as: UTF8.self))
  }

  private mutating func skipDigits() throws(JSONFailure) {
    let start = position
    while current?.isDigit == true { position += 1 }
    guard position > start else { throw failure("expected a digit") }
  }
}

extension JSONReader {
  var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func take(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    position += 1
    return true
  }

  mutating func skipWhiteSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  func failure(_ reason: String) -> JSONFailure {
    let before = bytes[..<min(position, bytes.count)]
    let line = before.reduce(into: 1) { if $1 == 0x0A { $0 += 1 } }
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return JSONFailure(reason: reason, line: line, column: before.count - lineStart + 1)
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { self >= 0x30 && self <= 0x39 }
}
