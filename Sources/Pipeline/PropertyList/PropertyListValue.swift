package import Media

/// What a property list holds. The order of a dictionary is the file's.
package enum PropertyListValue: Sendable, Hashable {
  /// No property list should hold it; JavaScript's null arrives so in the binary form.
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case data([UInt8])
  case date(Timestamp)
  case array([PropertyListValue])
  case dictionary([Entry])

  package struct Entry: Sendable, Hashable {
    package var key: String
    package var value: PropertyListValue
  }
}

extension PropertyListValue {
  /// The same as JSON: data as Base64 (RFC 4648 §4), dates as RFC 3339.
  package var json: JSONValue {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let number): .number(number)
    case .string(let text): .string(text)
    case .data(let bytes): .string(Base64.encode(bytes))
    case .date(let instant): .string(instant.rfc3339)
    case .array(let elements): .array(elements.map(\.json))
    case .dictionary(let entries):
      .object(JSONObject(members: entries.map { .init(name: $0.key, value: $0.value.json) }))
    }
  }
}

/// Why bytes are no property list that we read.
package struct PropertyListFailure: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// What reading a property list may cost, whatever its bytes say.
package struct PropertyListLimits: Sendable {
  /// Arrays and dictionaries inside each other.
  package var depth = 128
  /// Values visited, shared ones as often as they are met. A file that shares no container visits
  /// fewer values than it has bytes, so only bombs grow beyond the file's own size; what small
  /// files may always visit is `values`.
  package var values = 10_000
  /// Visited values never exceed this, however large the file.
  package var mostValues = 500_000
  /// Bytes of text and data, shared ones as often as they are met.
  package var textBytes = 8_000_000

  package init() {}
}

/// What is left of the limits while a list is read.
struct PropertyListBudget {
  private let limits: PropertyListLimits
  private let values: Int
  private var valuesLeft: Int
  private var textLeft: Int

  init(_ limits: PropertyListLimits, fileSize: Int) {
    self.limits = limits
    values = min(max(limits.values, fileSize), limits.mostValues)
    valuesLeft = values
    textLeft = limits.textBytes
  }

  mutating func visit(depth: Int) throws(PropertyListFailure) {
    guard depth <= limits.depth else {
      throw PropertyListFailure("nested deeper than \(limits.depth)")
    }
    guard valuesLeft > 0 else { throw PropertyListFailure("refers to more than \(values) values") }
    valuesLeft -= 1
  }

  mutating func spend(textBytes: Int) throws(PropertyListFailure) {
    guard textBytes <= textLeft else {
      throw PropertyListFailure("holds more than \(limits.textBytes) bytes of text and data")
    }
    textLeft -= textBytes
  }
}
