internal import Media

/// A value of a payload before its type is checked. Property lists have two types that JSON has
/// not, and neither may pass for a string.
enum PayloadField {
  case json(JSONValue)
  case data([UInt8])
  case date(Timestamp)

  init(_ value: PropertyListValue) {
    switch value {
    case .data(let bytes): self = .data(bytes)
    case .date(let instant): self = .date(instant)
    default: self = .json(value.json)
    }
  }

  /// The kind of value, as a message to a person names it.
  var typeName: String {
    switch self {
    case .json(let value): value.typeName
    case .data: "data"
    case .date: "a date"
    }
  }
}

/// The members of a payload's dictionary, whatever it was written in; later ones win.
struct PayloadFields {
  private(set) var values: [String: PayloadField] = [:]

  static let known: Set<String> = [
    "title", "url", "imageURL", "mediaCompany", "drafts", "id", "deadline", "ttlSeconds",
    "imageURLs", "media", "profiles", "categoryIdentifier", "threadIdentifier", "altText",
    "URL", "items", wrapperKey,
  ]
  static let wrapperKey = "NSExtensionJavaScriptPreprocessingResultsKey"

  init(url: String) {
    values["url"] = .json(.string(url))
  }

  init(_ object: JSONObject) {
    for member in object.members where Self.known.contains(member.name) {
      values[member.name] = .json(member.value)
    }
  }

  init(_ entries: [PropertyListValue.Entry]) {
    for entry in entries where Self.known.contains(entry.key) {
      values[entry.key] = PayloadField(entry.value)
    }
    useWeblocKey()
  }

  /// Takes the only key of a `.webloc` file as the page's address.
  mutating func useWeblocKey() {
    if values["url"] == nil { values["url"] = values["URL"] }
  }

  /// These fields, with those of `outer` where there are none: a sender may put its own keys beside
  /// the wrapper.
  func over(_ outer: PayloadFields) -> PayloadFields {
    var merged = self
    merged.values.merge(outer.values) { inner, _ in inner }
    merged.values[Self.wrapperKey] = values[Self.wrapperKey]
    merged.values["items"] = values["items"]
    return merged
  }
}
