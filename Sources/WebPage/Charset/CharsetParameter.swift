/// The charset in a Content-Type field (RFC 9110 §8.3.1) or in the `content` of a `<meta>` that
/// stands for one (WHATWG HTML, "extracting a character encoding from a meta element").
enum CharsetParameter {
  static func value(in field: some StringProtocol) -> String? {
    var rest = field.lowercased()[...]
    while let range = rest.firstRange(of: "charset") {
      rest = rest[range.upperBound...].drop(while: \.isWhitespace)
      guard rest.first == "=" else { continue }
      let value = rest.dropFirst().drop(while: \.isWhitespace)
      let label: Substring
      if let quote = value.first, quote == "\"" || quote == "'" {
        label = value.dropFirst().prefix { $0 != quote }
      } else {
        label = value.prefix { $0 != ";" && $0 != "," && !$0.isWhitespace }
      }
      return label.isEmpty ? nil : String(label)
    }
    return nil
  }
}
