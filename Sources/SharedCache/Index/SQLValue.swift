/// A value of a row, in SQLite's storage classes.
enum SQLValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case text(String)
  case blob([UInt8])

  var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  var int: Int? { integer.flatMap(Int.init(exactly:)) }

  var text: String? {
    if case .text(let value) = self { value } else { nil }
  }

  var blob: [UInt8]? {
    if case .blob(let value) = self { value } else { nil }
  }

  var hash: ContentHash? { blob.flatMap(ContentHash.init(bytes:)) }
}

extension SQLValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  init(integerLiteral value: Int64) { self = .integer(value) }
  init(stringLiteral value: String) { self = .text(value) }

  init(_ value: Int64?) { self = value.map(SQLValue.integer) ?? .null }
  init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
  init(_ value: String?) { self = value.map(SQLValue.text) ?? .null }
  init(_ value: [UInt8]?) { self = value.map(SQLValue.blob) ?? .null }
  init(_ value: ContentHash?) { self.init(value?.bytes) }
}

extension [SQLValue] {
  /// FNV-1a, 64 bits, over the values and their kinds: a row whose bytes were flipped on the disk
  /// does not match its checksum and counts as a miss.
  var checksum: Int64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    func add(_ number: UInt64) {
      for shift in stride(from: 0, to: 64, by: 8) {
        add(UInt8(truncatingIfNeeded: number >> shift))
      }
    }
    for value in self {
      switch value {
      case .null: add(0 as UInt8)
      case .integer(let number):
        add(1 as UInt8)
        add(UInt64(bitPattern: number))
      case .text(let text):
        add(2 as UInt8)
        add(UInt64(text.utf8.count))
        for byte in text.utf8 { add(byte) }
      case .blob(let bytes):
        add(3 as UInt8)
        add(UInt64(bytes.count))
        for byte in bytes { add(byte) }
      }
    }
    return Int64(bitPattern: hash)
  }
}
