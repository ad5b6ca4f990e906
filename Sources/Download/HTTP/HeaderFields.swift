/// The fields of one answer that matter to a cache and a fetcher; others are not kept.
package struct HeaderFields: Sendable, Hashable {
  private var values: [String: [String]] = [:]

  package init() {}

  /// What is kept, in lower case.
  package static let kept: Set<String> = [
    "age", "cache-control", "content-encoding", "content-length", "content-type", "date", "etag",
    "expires", "last-modified", "location", "retry-after", "vary",
  ]

  /// The field's value, several of one name joined by a comma as RFC 9110 §5.3 allows; nil where it
  /// is missing. The name's case does not matter.
  package subscript(_ name: String) -> String? {
    values[name.lowercased()]?.joined(separator: ", ")
  }

  /// Takes in one line as received; what is no kept field is passed over.
  mutating func add(line: String) {
    guard let colon = line.firstIndex(of: ":"), let first = line.utf8.first, first > 0x20 else {
      return
    }
    let name = line[..<colon].lowercased()
    guard Self.kept.contains(name) else { return }
    values[name, default: []].append(Self.trimmed(line[line.index(after: colon)...]))
  }

  private static func trimmed(_ value: Substring) -> String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0.isNewline }
    var value = value.drop(while: isSpace)
    while let last = value.last, isSpace(last) { value.removeLast() }
    return String(value)
  }
}
