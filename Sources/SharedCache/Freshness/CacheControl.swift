/// The directives of a response's Cache-Control fields (RFC 9111 §5.2) that a private cache obeys.
/// `s-maxage`, `proxy-revalidate`, `public` and `private` do not bind one.
struct CacheControl: Sendable, Hashable {
  /// Seconds; a directive whose number cannot be read counts as 0 (§4.2.1: invalid freshness
  /// information is best taken as stale).
  var maxAge: Int64?
  var noStore = false
  /// Takes the place of no-store for who knows what the status code means (§5.2.2.3): only answers
  /// of status 200 come here.
  var mustUnderstand = false
  /// With a field list too: the whole response is revalidated.
  var noCache = false
  var mustRevalidate = false
  /// Seconds (RFC 5861 §4).
  var staleIfError: Int64?
  /// Seconds (RFC 5861 §3).
  var staleWhileRevalidate: Int64?

  /// Reads all Cache-Control fields; of a directive given twice the first counts.
  init(_ fields: [String]) {
    for field in fields {
      for (name, argument) in Self.directives(field) { apply(name, argument) }
    }
  }

  private mutating func apply(_ name: String, _ argument: String?) {
    switch name {
    case "max-age": maxAge = maxAge ?? Self.deltaSeconds(argument) ?? 0
    case "no-store": noStore = true
    case "must-understand": mustUnderstand = true
    case "no-cache": noCache = true
    case "must-revalidate": mustRevalidate = true
    case "stale-if-error":
      staleIfError = staleIfError ?? Self.deltaSeconds(argument) ?? 0
    case "stale-while-revalidate":
      staleWhileRevalidate = staleWhileRevalidate ?? Self.deltaSeconds(argument) ?? 0
    default: break
    }
  }

  /// A number of seconds, at most 2^31 (§1.2.2); nil for what is no number.
  static func deltaSeconds(_ text: String?) -> Int64? {
    guard let text, !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return min(Int64(text) ?? .max, 1 << 31)
  }

  /// Names in lower case with their arguments; commas inside quotes separate nothing, unless the last
  /// quotation does not end: it must hide no directive.
  private static func directives(_ field: String) -> [(name: String, argument: String?)] {
    (parts(field) ?? field.split(separator: ",").map(String.init)).map { part in
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = trimmed(sides.first ?? "").lowercased()
      return (name, sides.count == 2 ? trimmed(sides[1]) : nil)
    }
  }

  /// The members of a list, without the quotes; nil where a quotation does not end.
  private static func parts(_ field: String) -> [String]? {
    var parts: [String] = []
    var part = ""
    var (isQuoted, isEscaped) = (false, false)
    for character in field {
      if isEscaped {
        isEscaped = false
      } else if isQuoted && character == "\\" {
        isEscaped = true
        continue
      } else if character == "\"" {
        isQuoted.toggle()
        continue
      } else if character == "," && !isQuoted {
        parts.append(part)
        part = ""
        continue
      }
      part.append(character)
    }
    return isQuoted ? nil : parts + [part]
  }

  static func trimmed(_ text: some StringProtocol) -> String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let start = text.drop(while: isSpace)
    let trailing = start.reversed().prefix(while: isSpace).count
    return String(start.dropLast(trailing))
  }
}
