internal import Media

/// The JSON in a script, out of what authors wrap it in.
enum LinkedDataScript {
  private static let openings = ["//", "/*", "*/", "<![CDATA[", "<!--"]
  private static let closings = ["//", "/*", "*/", "]]>", "-->", ";"]

  static func json(of script: String) -> JSONValue? {
    let text = unwrapped(script)
    if let value = read(text) { return value }
    // What looked like wrapping may have been a comment's beginning or end.
    if let value = readLeniently(script) { return value }
    // The whole of it may have been escaped as if it were text.
    return text.contains("&quot;") ? read(Entities.decode(text)) : nil
  }

  private static var limits: JSONReader.Limits {
    var limits = JSONReader.Limits()
    limits.depth = 64
    limits.values = 100_000
    return limits
  }

  private static func read(_ text: String) -> JSONValue? {
    // Line breaks inside strings are common, and other control characters no worse.
    let bytes = text.utf8.map { $0 < 0x20 ? 0x20 : $0 }
    return (try? JSONReader.read(bytes, limits: limits)) ?? readLeniently(text)
  }

  private static func readLeniently(_ text: String) -> JSONValue? {
    try? JSONReader.read(LenientJSON.normalized(Array(text.utf8)), limits: limits)
  }

  private static func unwrapped(_ script: String) -> String {
    var text = script.trimmed[...]
    while true {
      if let opening = openings.first(where: { text.hasPrefix($0) }) {
        text = text.dropFirst(opening.count).drop(while: \.isWhitespace)
      } else if let closing = closings.first(where: { text.hasSuffix($0) }) {
        text = text.dropLast(closing.count)
        while text.last?.isWhitespace == true { text.removeLast() }
      } else {
        return String(text)
      }
    }
  }
}
