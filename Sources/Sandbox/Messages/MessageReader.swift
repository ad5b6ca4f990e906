/// Reads what `MessageWriter` wrote, from a sender that is not trusted.
package struct MessageReader {
  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  private var remaining: Int { bytes.count - position }

  package mutating func read<Number: FixedWidthInteger>(
    _ type: Number.Type = Number.self
  ) throws(MessageFailure) -> Number {
    let size = Number.bitWidth / 8
    guard size <= remaining else { throw .truncated }
    var value: Number = 0
    for index in (0..<size).reversed() {
      value = value << 8 | Number(truncatingIfNeeded: bytes[position + index])
    }
    position += size
    return value
  }

  package mutating func read(_ type: Bool.Type = Bool.self) throws(MessageFailure) -> Bool {
    switch try read(UInt8.self) {
    case 0: false
    case 1: true
    default: throw .badValue("flag")
    }
  }

  package mutating func read(_ type: Double.Type = Double.self) throws(MessageFailure) -> Double {
    Double(bitPattern: try read(UInt64.self))
  }

  /// A string of at most `limit` bytes of valid UTF-8.
  package mutating func read(
    _ type: String.Type = String.self, limit: Int = MessageLimit.string
  ) throws(MessageFailure) -> String {
    let count = Int(try read(UInt16.self))
    guard count <= limit else { throw .tooLong(limit: limit, actual: count) }
    guard count <= remaining else { throw .truncated }
    defer { position += count }
    guard let text = String(validating: bytes[position..<position + count], as: UTF8.self) else {
      throw .badValue("UTF-8")
    }
    return text
  }

  /// A value that may be absent.
  package mutating func readOptional<Value>(
    _ read: (inout MessageReader) throws(MessageFailure) -> Value
  ) throws(MessageFailure) -> Value? {
    guard try self.read(Bool.self) else { return nil }
    return try read(&self)
  }

  /// An array of at most `MessageLimit.elements`.
  package mutating func readArray<Element>(
    _ read: (inout MessageReader) throws(MessageFailure) -> Element
  ) throws(MessageFailure) -> [Element] {
    let count = Int(try self.read(UInt16.self))
    guard count <= MessageLimit.elements else {
      throw .tooLong(limit: MessageLimit.elements, actual: count)
    }
    var values: [Element] = []
    for _ in 0..<count { values.append(try read(&self)) }
    return values
  }

  /// A case of an enumeration, by its raw value.
  package mutating func readCase<Value: RawRepresentable>(
    _ type: Value.Type = Value.self
  ) throws(MessageFailure) -> Value where Value.RawValue: FixedWidthInteger {
    guard let value = Value(rawValue: try read(Value.RawValue.self)) else {
      throw .badValue("\(Value.self)")
    }
    return value
  }

  /// A case of an enumeration, by its name.
  package mutating func readCase<Value: RawRepresentable>(
    _ type: Value.Type = Value.self
  ) throws(MessageFailure) -> Value where Value.RawValue == String {
    guard let value = Value(rawValue: try read(String.self)) else {
      throw .badValue("\(Value.self)")
    }
    return value
  }

  /// Ends the reading; bytes left over are a failure.
  package func finish() throws(MessageFailure) {
    guard remaining == 0 else { throw .excess(remaining) }
  }
}
