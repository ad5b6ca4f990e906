internal import Media

/// The bytes of a binary property list, and where its objects lie. Every number of the file is
/// checked before it is used.
struct BinaryObjectTable {
  private let bytes: [UInt8]
  private let offsetSize: Int
  private let objectCount: Int
  private let tableStart: Int
  /// Bytes of a reference to an object.
  let referenceSize: Int
  let rootObject: Int

  private static let trailerSize = 32
  private static let headerSize = 8

  init(_ bytes: [UInt8]) throws(PropertyListFailure) {
    guard BinaryPropertyListReader.recognises(bytes),
      bytes.count >= Self.headerSize + Self.trailerSize
    else { throw PropertyListFailure("too short for a binary property list") }
    let trailer = bytes.count - Self.trailerSize
    self.bytes = bytes
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
      throw PropertyListFailure("offsets or references of a wrong size")
    }
    objectCount = try Self.number(bytes[(trailer + 8)..<(trailer + 16)])
    rootObject = try Self.number(bytes[(trailer + 16)..<(trailer + 24)])
    tableStart = try Self.number(bytes[(trailer + 24)..<(trailer + 32)])
    do {
      let end = try tableStart.adding(checked: try objectCount.multiplied(checked: offsetSize))
      guard tableStart >= Self.headerSize, end <= trailer else { throw ArithmeticOverflow() }
    } catch { throw PropertyListFailure("the table of objects lies outside the file") }
  }

  func offset(ofObject index: Int) throws(PropertyListFailure) -> Int {
    guard index < objectCount else { throw PropertyListFailure("a reference to no object") }
    let start = tableStart + index * offsetSize
    let offset = try Self.number(bytes[start..<(start + offsetSize)])
    guard offset >= Self.headerSize, offset < tableStart else {
      throw PropertyListFailure("an object lies outside the file")
    }
    return offset
  }

  func byte(at position: Int) throws(PropertyListFailure) -> UInt8 {
    guard position < tableStart else { throw PropertyListFailure("an object is cut short") }
    return bytes[position]
  }

  func bytes(_ start: Int, count: Int) throws(PropertyListFailure) -> ArraySlice<UInt8> {
    guard start <= tableStart, count <= tableStart - start else {
      throw PropertyListFailure("an object is cut short")
    }
    return bytes[start..<(start + count)]
  }

  /// The reference at a place in an array's or a dictionary's content, checked by `content`.
  func reference(_ first: Int, _ index: Int) throws(PropertyListFailure) -> Int {
    try Self.number(try bytes(first + index * referenceSize, count: referenceSize))
  }

  /// Where an object's content starts and how many items of `width` bytes it has, all inside the
  /// file: the count is in the marker, or in an integer after it.
  func content(at start: Int, width: Int) throws(PropertyListFailure) -> (first: Int, count: Int) {
    let nibble = try byte(at: start) & 0xF
    var (first, count) = (start + 1, Int(nibble))
    if nibble == 0xF {
      let marker = try byte(at: first)
      guard marker & 0xF0 == 0x10, marker & 0xF <= 3 else {
        throw PropertyListFailure("a count that is no integer")
      }
      let size = 1 << Int(marker & 0xF)
      count = try Self.number(try bytes(first + 1, count: size))
      first += 1 + size
    }
    guard first <= tableStart, count <= (tableStart - first) / width else {
      throw PropertyListFailure("an object is cut short")
    }
    return (first, count)
  }

  private static func number(_ bytes: ArraySlice<UInt8>) throws(PropertyListFailure) -> Int {
    let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard let number = Int(exactly: value) else {
      throw PropertyListFailure("a number that is too large")
    }
    return number
  }
}
