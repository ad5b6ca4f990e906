internal import Media

/// Reads Apple's XML property list with a small strict reader of its own: elements of that one
/// document type, no external or internal entities, bounded depth and size. Foundation's
/// `PropertyListDecoder` would cost every process 12 MB of code and a millisecond of start-up.
package struct XMLPropertyListReader {
  var scanner: XMLScanner
  private var budget: PropertyListBudget

  private init(_ bytes: [UInt8], limits: PropertyListLimits) {
    scanner = XMLScanner(bytes)
    budget = PropertyListBudget(limits, fileSize: bytes.count)
  }

  /// Reads a document with or without its XML declaration, document type and `plist` element. One in
  /// another encoding than UTF-8 is refused: read as UTF-8 it would lose text.
  package static func read(
    _ bytes: [UInt8], limits: PropertyListLimits = PropertyListLimits()
  ) throws(PropertyListFailure) -> PropertyListValue {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw PropertyListFailure("its text is not UTF-8")
    }
    var reader = XMLPropertyListReader(bytes, limits: limits)
    let value = try reader.readRoot()
    guard try reader.scanner.nextTag() == nil else {
      throw PropertyListFailure("more than one value")
    }
    return value
  }

  private mutating func readRoot() throws(PropertyListFailure) -> PropertyListValue {
    guard let tag = try scanner.nextTag() else { throw PropertyListFailure("no value") }
    guard tag.name == "plist", tag.kind == .start else { return try readValue(tag, depth: 0) }
    guard let inner = try scanner.nextTag() else { throw PropertyListFailure("no value") }
    let value = try readValue(inner, depth: 0)
    try expectEnd(of: "plist")
    return value
  }

  private mutating func readValue(
    _ tag: XMLScanner.Tag, depth: Int
  ) throws(PropertyListFailure) -> PropertyListValue {
    try budget.visit(depth: depth)
    guard tag.kind != .end else { throw PropertyListFailure("unexpected </\(tag.name)>") }
    switch tag.name {
    case "dict": return try readDictionary(tag, depth: depth)
    case "array": return try readArray(tag, depth: depth)
    case "true", "false", "null": return try readWord(tag)
    default: return try readScalar(named: tag.name, try readText(of: tag))
    }
  }

  private mutating func readWord(
    _ tag: XMLScanner.Tag
  ) throws(PropertyListFailure) -> PropertyListValue {
    if tag.kind == .start { try expectEnd(of: tag.name) }
    return tag.name == "null" ? .null : .bool(tag.name == "true")
  }

  private mutating func readArray(
    _ tag: XMLScanner.Tag, depth: Int
  ) throws(PropertyListFailure) -> PropertyListValue {
    var elements: [PropertyListValue] = []
    guard tag.kind == .start else { return .array(elements) }
    while let next = try scanner.nextTag() {
      if next == .end("array") { return .array(elements) }
      elements.append(try readValue(next, depth: depth + 1))
    }
    throw PropertyListFailure("unterminated array")
  }

  private mutating func readDictionary(
    _ tag: XMLScanner.Tag, depth: Int
  ) throws(PropertyListFailure) -> PropertyListValue {
    var entries: [PropertyListValue.Entry] = []
    guard tag.kind == .start else { return .dictionary(entries) }
    while let next = try scanner.nextTag() {
      if next == .end("dict") { return .dictionary(entries) }
      guard next.name == "key", next.kind != .end else {
        throw PropertyListFailure("expected a key, found \(next.name)")
      }
      let key = try readText(of: next)
      guard let valueTag = try scanner.nextTag() else { break }
      entries.append(.init(key: key, value: try readValue(valueTag, depth: depth + 1)))
    }
    throw PropertyListFailure("unterminated dict")
  }

  private mutating func readText(of tag: XMLScanner.Tag) throws(PropertyListFailure) -> String {
    guard tag.kind == .start else { return "" }
    let text = try scanner.readText()
    try budget.spend(textBytes: text.utf8.count)
    try expectEnd(of: tag.name)
    return text
  }

  private mutating func expectEnd(of name: String) throws(PropertyListFailure) {
    guard try scanner.nextTag() == .end(name) else {
      throw PropertyListFailure("unterminated \(name)")
    }
  }

  private func readScalar(
    named name: String, _ text: String
  ) throws(PropertyListFailure) -> PropertyListValue {
    switch name {
    case "string": return .string(text)
    case "integer":
      if let number = Self.integer(text) { return .number(number) }
    case "real":
      if let value = Double(Self.trimmed(text)) {
        return JSONNumber(value).map(PropertyListValue.number) ?? .null
      }
    case "date":
      if let instant = Timestamp(rfc3339: Self.trimmed(text)) { return .date(instant) }
    case "data":
      if let bytes = Base64.decode(Array(text.utf8)) { return .data(bytes) }
    default: throw PropertyListFailure("unknown element \(name.prefix(40))")
    }
    throw PropertyListFailure("\(text.prefix(40)) is no \(name)")
  }

  private static func trimmed(_ text: String) -> String {
    String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }

  /// Decimal, or hexadecimal after 0x.
  private static func integer(_ text: String) -> JSONNumber? {
    let text = trimmed(text)
    let isHexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X")
    let value = isHexadecimal ? Int128(text.dropFirst(2), radix: 16) : Int128(text)
    return value.map { JSONNumber(lexeme: String($0)) }
  }
}
