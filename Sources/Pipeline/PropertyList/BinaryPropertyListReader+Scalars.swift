internal import Media

extension BinaryPropertyListReader {
  static func readSimple(_ marker: UInt8) throws(PropertyListFailure) -> PropertyListValue {
    switch marker {
    case 0x00: .null
    case 0x08: .bool(false)
    case 0x09: .bool(true)
    default: throw PropertyListFailure("unknown object marker \(marker)")
    }
  }

  /// One, two and four bytes are unsigned, eight are signed, sixteen hold what eight cannot.
  func readInteger(at start: Int) throws(PropertyListFailure) -> JSONNumber {
    let size = try scalarSize(at: start, largest: 16)
    let bytes = try table.bytes(start + 1, count: size)
    let bits = bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
    let value =
      size == 8 ? Int128(Int64(truncatingIfNeeded: bits)) : Int128(truncatingIfNeeded: bits)
    return JSONNumber(lexeme: String(value))
  }

  func readReal(at start: Int) throws(PropertyListFailure) -> PropertyListValue {
    let value = try readDouble(at: start)
    return JSONNumber(value).map(PropertyListValue.number) ?? .null
  }

  /// Seconds since 2001-01-01; what no calendar holds becomes the nearest instant.
  func readDate(at start: Int) throws(PropertyListFailure) -> PropertyListValue {
    let seconds = try readDouble(at: start) + 978_307_200
    guard !seconds.isNaN else { return .null }
    let milliseconds = min(max(seconds * 1000, -9_223_372_036_854), 9_223_372_036_854)
    return .date(Timestamp(milliseconds: Int64(milliseconds.rounded(.down))))
  }

  mutating func readData(at start: Int) throws(PropertyListFailure) -> [UInt8] {
    let (first, count) = try table.content(at: start, width: 1)
    try budget.spend(textBytes: count)
    return Array(try table.bytes(first, count: count))
  }

  /// ASCII, or UTF-16 in big-endian order; what is neither becomes U+FFFD.
  mutating func readString(at start: Int) throws(PropertyListFailure) -> String {
    let isWide = try table.byte(at: start) >> 4 == 0x6
    let (first, count) = try table.content(at: start, width: isWide ? 2 : 1)
    try budget.spend(textBytes: isWide ? 2 * count : count)
    guard isWide else {
      return String(decoding: try table.bytes(first, count: count), as: UTF8.self)
    }
    let bytes = try table.bytes(first, count: 2 * count)
    let units = stride(from: first, to: first + 2 * count, by: 2).map { index in
      UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// A keyed archive's reference, in the form that the XML format writes it.
  func readIdentifier(at start: Int) throws(PropertyListFailure) -> PropertyListValue {
    let size = Int(try table.byte(at: start) & 0xF) + 1
    guard size <= 8 else { throw PropertyListFailure("an identifier of \(size) bytes") }
    let value = try table.bytes(start + 1, count: size).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return .dictionary([.init(key: "CF$UID", value: .number(JSONNumber(lexeme: String(value))))])
  }

  private func readDouble(at start: Int) throws(PropertyListFailure) -> Double {
    let size = try scalarSize(at: start, largest: 8)
    let bits = try table.bytes(start + 1, count: size).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    switch size {
    case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case 8: return Double(bitPattern: bits)
    default: throw PropertyListFailure("a real of \(size) bytes")
    }
  }

  private func scalarSize(at start: Int, largest: Int) throws(PropertyListFailure) -> Int {
    let exponent = try table.byte(at: start) & 0xF
    let size = 1 << Int(min(exponent, 7))
    guard size <= largest else { throw PropertyListFailure("a number of \(size) bytes") }
    return size
  }
}
