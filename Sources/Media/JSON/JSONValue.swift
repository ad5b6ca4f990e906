/// A JSON document (RFC 8259) as it was written: numbers keep their digits, objects their order and
/// their repeated names, so that what passes through is not changed.
package enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

/// A number by its digits: no value is lost to a binary type.
package struct JSONNumber: Sendable, Hashable {
  /// The number by RFC 8259's grammar.
  package let lexeme: String

  /// Takes text that follows RFC 8259's grammar already.
  package init(lexeme: String) {
    self.lexeme = lexeme
  }

  package init(_ value: Int) {
    lexeme = String(value)
  }

  /// Nil for what JSON cannot write: infinities and not-a-number.
  package init?(_ value: Double) {
    guard value.isFinite else { return nil }
    let whole = value.magnitude < 9_007_199_254_740_992 ? Int(exactly: value) : nil
    lexeme = whole.map(String.init) ?? value.description
  }

  /// The value as a whole number, also where it was written as `3.0` or `3e0`.
  package var int: Int? { Int(lexeme) ?? double.flatMap { Int(exactly: $0) } }

  /// The nearest double; nil where the number is beyond its range.
  package var double: Double? {
    guard let value = Double(lexeme), value.isFinite else { return nil }
    return value
  }
}

/// The members of an object in their written order.
package struct JSONObject: Sendable, Hashable {
  package struct Member: Sendable, Hashable {
    package var name: String
    package var value: JSONValue

    package init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// Every member, repeated names included.
  package var members: [Member]

  package init(members: [Member] = []) {
    self.members = members
  }

  /// The value of a name, the last one where it is repeated: as most readers of JSON have it.
  package subscript(name: String) -> JSONValue? {
    members.last { $0.name == name }?.value
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(members: elements.map { Member(name: $0.0, value: $0.1) })
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(members: elements.map { .init(name: $0.0, value: $0.1) }))
  }

  package init(arrayLiteral elements: JSONValue...) {
    self = .array(elements)
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  package init(stringLiteral value: String) {
    self = .string(value)
  }

  package init(integerLiteral value: Int) {
    self = .number(JSONNumber(value))
  }

  package init(booleanLiteral value: Bool) {
    self = .bool(value)
  }

  package init(nilLiteral: ()) {
    self = .null
  }
}

extension JSONValue {
  /// A string, or null where there is none.
  package init(_ value: String?) {
    self = value.map(JSONValue.string) ?? .null
  }

  /// A whole number, or null where there is none.
  package init(_ value: Int?) {
    self = value.map { .number(JSONNumber($0)) } ?? .null
  }

  /// A number; null where there is none, or where JSON cannot write it.
  package init(_ value: Double?) {
    self = value.flatMap(JSONNumber.init).map(JSONValue.number) ?? .null
  }

  /// An array of strings.
  package init(_ values: [String]) {
    self = .array(values.map(JSONValue.string))
  }

  package var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  package var int: Int? {
    guard case .number(let number) = self else { return nil }
    return number.int
  }

  package var double: Double? {
    guard case .number(let number) = self else { return nil }
    return number.double
  }

  package var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  package var array: [JSONValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  package var object: JSONObject? {
    guard case .object(let object) = self else { return nil }
    return object
  }

  /// The kind of value, as a message to a person names it.
  package var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
