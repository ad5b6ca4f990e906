internal import Media

/// Takes a payload's fields one by one: a field of the wrong type is left out with a note, and
/// never fails the job.
struct PayloadFieldReader {
  private let fields: PayloadFields
  private(set) var notes: [Problem] = []

  /// Most addresses or names that a list may hold.
  static let mostElements = 16
  /// Most bytes of an identifier: cut short it would be another, so a longer one is left out.
  static let mostIdentifierBytes = 256

  init(_ fields: PayloadFields) {
    self.fields = fields
  }

  /// The field as JSON, whatever its shape.
  func verbatim(_ key: String) -> JSONValue? {
    switch fields.values[key] {
    case .json(let value)?: value
    case .date(let instant)?: .string(instant.rfc3339)
    case .data(let bytes)?: .string(Base64.encode(bytes))
    case nil: nil
    }
  }

  mutating func string(_ key: String) -> String? {
    switch fields.values[key] {
    case .json(.string(let text))?: return text
    case .json(.null)?, nil: return nil
    case let other?:
      note(key, "is \(other.typeName), not a string")
      return nil
    }
  }

  mutating func text(_ key: String, limit: Int) -> String? {
    string(key).flatMap { NotificationText.clean($0, limit: limit) }
  }

  mutating func address(_ key: String) -> String? {
    string(key).flatMap(PayloadAddress.trimmed)
  }

  /// An identifier that goes out as it came, white space around it aside.
  mutating func identifier(_ key: String) -> String? {
    guard let text = string(key).flatMap(PayloadAddress.trimmed) else { return nil }
    guard text.utf8.count <= Self.mostIdentifierBytes else {
      note(key, "has \(text.utf8.count) bytes, more than \(Self.mostIdentifierBytes)")
      return nil
    }
    guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
      note(key, "holds control characters")
      return nil
    }
    return text
  }

  mutating func strings(_ key: String) -> [String] {
    switch fields.values[key] {
    case .json(.array(let elements))?: return strings(key, elements)
    case .json(.null)?, nil: return []
    case let other?:
      note(key, "is \(other.typeName), not an array of strings")
      return []
    }
  }

  private mutating func strings(_ key: String, _ elements: [JSONValue]) -> [String] {
    let texts = elements.compactMap { $0.string.flatMap(PayloadAddress.trimmed) }
    if texts.count < elements.count {
      note(key, "holds \(elements.count - texts.count) elements that are no text", left: "they are")
    }
    if texts.count > Self.mostElements {
      note(
        key, "holds \(texts.count) elements; only the first \(Self.mostElements) are used",
        left: "the others are")
    }
    return Array(texts.prefix(Self.mostElements))
  }

  mutating func instant(_ key: String) -> Timestamp? {
    if case .date(let instant)? = fields.values[key] { return instant }
    guard let text = string(key) else { return nil }
    let instant = PayloadAddress.trimmed(text).flatMap(Timestamp.init(rfc3339:))
    if instant == nil { note(key, "is no RFC 3339 time") }
    return instant
  }

  /// A number of seconds from zero up.
  mutating func seconds(_ key: String) -> Double? {
    switch fields.values[key] {
    case .json(.null)?, nil: return nil
    case .json(.number(let number))?:
      if let seconds = number.double, seconds >= 0 { return seconds }
      note(key, "is not a number of seconds from 0 up")
    case let other?: note(key, "is \(other.typeName), not a number")
    }
    return nil
  }

  /// `left` says what of the field is left out.
  mutating func note(
    _ key: String, _ message: String, code: Problem.Code = .badField, left: String = "it is"
  ) {
    notes.append(Problem(.intake, code, "\(key) \(message); \(left) left out", severity: .note))
  }
}
