/// Reads Apple's binary property list (`bplist00`, as CFBinaryPList.c documents it) by walking its
/// object table from the root, within a budget of visited values: a file of 163 bytes can refer to
/// millions.
package struct BinaryPropertyListReader {
  static let signature = Array("bplist0".utf8)

  let table: BinaryObjectTable
  var budget: PropertyListBudget
  /// The containers that the current value lies in.
  var path: [Int] = []

  private init(_ bytes: [UInt8], limits: PropertyListLimits) throws(PropertyListFailure) {
    table = try BinaryObjectTable(bytes)
    budget = PropertyListBudget(limits, fileSize: bytes.count)
  }

  /// Whether the bytes begin as a binary property list does.
  package static func recognises(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: signature)
  }

  package static func read(
    _ bytes: [UInt8], limits: PropertyListLimits = PropertyListLimits()
  ) throws(PropertyListFailure) -> PropertyListValue {
    var reader = try BinaryPropertyListReader(bytes, limits: limits)
    return try reader.readObject(reader.table.rootObject)
  }

  mutating func readObject(_ index: Int) throws(PropertyListFailure) -> PropertyListValue {
    try budget.visit(depth: path.count)
    let start = try table.offset(ofObject: index)
    let marker = try table.byte(at: start)
    switch marker >> 4 {
    case 0x0: return try Self.readSimple(marker)
    case 0x1: return .number(try readInteger(at: start))
    case 0x2: return try readReal(at: start)
    case 0x3: return try readDate(at: start)
    case 0x4: return .data(try readData(at: start))
    case 0x5, 0x6: return .string(try readString(at: start))
    case 0x8: return try readIdentifier(at: start)
    case 0xA, 0xB, 0xC:
      return try inside(index) { reader throws(PropertyListFailure) in
        try reader.readArray(at: start)
      }
    case 0xD:
      return try inside(index) { reader throws(PropertyListFailure) in
        try reader.readDictionary(at: start)
      }
    default: throw PropertyListFailure("unknown object marker \(marker)")
    }
  }

  private mutating func inside(
    _ index: Int,
    _ body: (inout BinaryPropertyListReader) throws(PropertyListFailure) -> PropertyListValue
  ) throws(PropertyListFailure) -> PropertyListValue {
    guard !path.contains(index) else { throw PropertyListFailure("an object contains itself") }
    path.append(index)
    let value = try body(&self)
    path.removeLast()
    return value
  }

  private mutating func readArray(at start: Int) throws(PropertyListFailure) -> PropertyListValue {
    let (first, count) = try table.content(at: start, width: table.referenceSize)
    var elements: [PropertyListValue] = []
    for index in 0..<count {
      elements.append(try readObject(try table.reference(first, index)))
    }
    return .array(elements)
  }

  private mutating func readDictionary(
    at start: Int
  ) throws(PropertyListFailure) -> PropertyListValue {
    let (first, count) = try table.content(at: start, width: 2 * table.referenceSize)
    var entries: [PropertyListValue.Entry] = []
    for index in 0..<count {
      guard case .string(let key) = try readObject(try table.reference(first, index)) else {
        throw PropertyListFailure("a dictionary's key is no string")
      }
      let value = try readObject(try table.reference(first, count + index))
      entries.append(.init(key: key, value: value))
    }
    return .dictionary(entries)
  }
}
