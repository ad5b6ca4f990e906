/// Writes JSON (RFC 8259) in UTF-8: names in their given order, slashes and non-ASCII text as they
/// are.
package struct JSONWriter {
  private var bytes: [UInt8] = []
  /// Whether each member stands on a line of its own, indented by two spaces a level.
  private let isPretty: Bool

  private init(isPretty: Bool) {
    self.isPretty = isPretty
  }

  /// One line without a space, or a form for people that ends in a line feed.
  package static func write(_ value: JSONValue, pretty: Bool = false) -> [UInt8] {
    var writer = JSONWriter(isPretty: pretty)
    writer.append(value, depth: 0)
    if pretty { writer.bytes.append(0x0A) }
    return writer.bytes
  }

  private mutating func append(_ value: JSONValue, depth: Int) {
    switch value {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .number(let number): bytes += number.lexeme.utf8
    case .string(let text): append(text)
    case .array(let elements):
      appendList("[", "]", elements, depth: depth) { writer, element in
        writer.append(element, depth: depth + 1)
      }
    case .object(let object):
      appendList("{", "}", object.members, depth: depth) { writer, member in
        writer.append(member.name)
        writer.bytes += (writer.isPretty ? ": " : ":").utf8
        writer.append(member.value, depth: depth + 1)
      }
    }
  }

  private mutating func appendList<Element>(
    _ opening: String, _ closing: String, _ elements: [Element], depth: Int,
    _ body: (inout JSONWriter, Element) -> Void
  ) {
    bytes += opening.utf8
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      startLine(depth: depth + 1)
      body(&self, element)
    }
    if !elements.isEmpty { startLine(depth: depth) }
    bytes += closing.utf8
  }

  private mutating func startLine(depth: Int) {
    guard isPretty else { return }
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: depth * 2))
  }

  private mutating func append(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes += "\\\"".utf8
      case UInt8(ascii: "\\"): bytes += "\\\\".utf8
      case 0x0A: bytes += "\\n".utf8
      case 0x0D: bytes += "\\r".utf8
      case 0x09: bytes += "\\t".utf8
      case ..<0x20:
        bytes += "\\u00".utf8
        bytes += [Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static let digits = Array("0123456789abcdef".utf8)
}
