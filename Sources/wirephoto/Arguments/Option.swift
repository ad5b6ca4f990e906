/// One option: its name, how its text becomes a value, and what it is without one.
struct Option<Value: Sendable>: Sendable {
  let name: String
  /// What help shows for the value; nil for a flag.
  let placeholder: String?
  let summary: String
  let fallback: Value
  let parse: @Sendable (String) -> Value?
  /// What a value is, where the placeholder does not say it.
  var expected: String?
}

/// An option whose value type is not known: what the table, the parser and help need.
struct AnyOption: Sendable {
  let name: String
  let placeholder: String?
  let summary: String
  let parse: @Sendable (String) -> (any Sendable)?
  private let meaning: String?

  init<Value>(_ option: Option<Value>) {
    name = option.name
    placeholder = option.placeholder
    summary = option.summary
    meaning = option.expected
    let parse = option.parse
    self.parse = { text in parse(text).map { $0 } }
  }

  var isFlag: Bool { placeholder == nil }

  /// What a bad value should have been.
  var expected: String {
    if let meaning { return meaning }
    return switch placeholder {
    case nil: "1 or 0"
    case "DURATION": "a duration such as 250ms, 30s, 5m, 48h or 7d"
    case "SIZE": "a size such as 500kB, 10MB or 2GB"
    case .some(let placeholder): placeholder
    }
  }

  /// `--cache-size` → `WIREPHOTO_CACHE_SIZE`.
  var environmentVariable: String {
    "WIREPHOTO_" + name.dropFirst(2).uppercased().split(separator: "-").joined(separator: "_")
  }
}

extension Option where Value == Bool {
  static func flag(_ name: String, _ summary: String, default fallback: Bool = false) -> Option {
    Option(name: name, placeholder: nil, summary: summary, fallback: fallback) { text in
      switch text {
      case "1": true
      case "0": false
      default: nil
      }
    }
  }
}

extension Option where Value == String? {
  static func text(_ name: String, _ placeholder: String, _ summary: String) -> Option {
    Option(name: name, placeholder: placeholder, summary: summary, fallback: nil) {
      $0.isEmpty ? nil : .some($0)
    }
  }
}

extension Option where Value == [String] {
  static func list(_ name: String, _ placeholder: String, _ summary: String) -> Option {
    Option(name: name, placeholder: placeholder, summary: summary, fallback: []) { text in
      let items = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return items.contains("") ? nil : items
    }
  }
}

extension Option {
  /// An option with a value of its own kind.
  static func value(
    _ name: String, _ placeholder: String, _ summary: String, default fallback: Value,
    parse: @escaping @Sendable (String) -> Value?
  ) -> Option {
    Option(
      name: name, placeholder: placeholder, summary: summary, fallback: fallback, parse: parse)
  }
}

extension Option where Value == Int {
  static func number(
    _ name: String, _ placeholder: String, _ summary: String, default fallback: Int,
    in range: ClosedRange<Int>
  ) -> Option {
    var option = Option.value(name, placeholder, summary, default: fallback) { text in
      guard text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(text),
        range.contains(number)
      else { return nil }
      return number
    }
    option.expected = "a number from \(range.lowerBound) to \(range.upperBound)"
    return option
  }
}

extension Option where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  static func choice(_ name: String, _ summary: String, default fallback: Value) -> Option {
    let names = Value.allCases.map(\.rawValue).joined(separator: "|")
    return .value(name, names, summary, default: fallback) { Value(rawValue: $0) }
  }
}
