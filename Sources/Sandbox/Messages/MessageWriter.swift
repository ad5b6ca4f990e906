/// Values in sequence, little-endian, each string and array with its length before it.
package struct MessageWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func append(_ value: some FixedWidthInteger) {
    var rest = value
    for _ in 0..<(value.bitWidth / 8) {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  package mutating func append(_ value: Bool) {
    append(UInt8(value ? 1 : 0))
  }

  package mutating func append(_ value: Double) {
    append(value.bitPattern)
  }

  /// A string, cut at a character where it has more than `limit` bytes (at most 65,535).
  package mutating func append(_ value: String, limit: Int = MessageLimit.string) {
    let utf8 = value.utf8
    var end =
      utf8.index(utf8.startIndex, offsetBy: limit, limitedBy: utf8.endIndex) ?? utf8.endIndex
    while end.samePosition(in: value) == nil { end = utf8.index(before: end) }
    let text = value[..<end]
    append(UInt16(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// A flag, and the value where there is one.
  package mutating func append<Value>(
    _ value: Value?, _ write: (inout MessageWriter, Value) -> Void
  ) {
    append(value != nil)
    if let value { write(&self, value) }
  }

  /// A count and the elements; those beyond what a message allows are left out.
  package mutating func append<Element>(
    _ values: [Element], _ write: (inout MessageWriter, Element) -> Void
  ) {
    let values = values.prefix(MessageLimit.elements)
    append(UInt16(values.count))
    for value in values { write(&self, value) }
  }
}
