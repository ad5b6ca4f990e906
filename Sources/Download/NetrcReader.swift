/// The words of a netrc file, in order.
struct NetrcReader {
  private var lines: [Substring]
  private var line = 0
  private var words: [String] = []

  init(_ text: String) {
    lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }

  /// The next host that has a password; nil at the end.
  mutating func next() throws(Credentials.Failure) -> (String, Credentials.Entry)? {
    while let word = try nextWord() {
      switch word {
      case "machine":
        guard let host = try nextWord() else { throw .malformed(line: line) }
        if let entry = try readEntry() { return (host.lowercased(), entry) }
      case "default":
        _ = try readEntry()
      case "macdef":
        skipMacro()
      default:
        throw .malformed(line: line)
      }
    }
    return nil
  }

  private mutating func readEntry() throws(Credentials.Failure) -> Credentials.Entry? {
    var values: [String: String] = [:]
    while let word = try nextWord() {
      guard ["login", "password", "account"].contains(word) else {
        words.append(word)
        break
      }
      guard let value = try nextWord() else { throw .malformed(line: line) }
      values[word] = value
    }
    return values["password"].map { Credentials.Entry(login: values["login"], password: $0) }
  }

  /// A macro ends at an empty line.
  private mutating func skipMacro() {
    words = []
    while line < lines.count, !lines[line].isEmpty { line += 1 }
  }

  private mutating func nextWord() throws(Credentials.Failure) -> String? {
    while words.isEmpty {
      guard line < lines.count else { return nil }
      line += 1
      words = try split(lines[line - 1]).reversed()
    }
    return words.removeLast()
  }

  /// Words between spaces; one in double quotes may hold spaces, and backslash before any character.
  private func split(_ text: Substring) throws(Credentials.Failure) -> [String] {
    var words: [String] = []
    var rest = text.drop(while: \.isWhitespace)
    while let first = rest.first, first != "#" || !words.isEmpty {
      if first == "\"" {
        words.append(try quoted(&rest))
      } else {
        words.append(String(rest.prefix { !$0.isWhitespace }))
        rest = rest.drop { !$0.isWhitespace }
      }
      rest = rest.drop(while: \.isWhitespace)
    }
    return words
  }

  private func quoted(_ rest: inout Substring) throws(Credentials.Failure) -> String {
    var word = ""
    rest.removeFirst()
    while let character = rest.popFirst() {
      if character == "\"" { return word }
      guard character == "\\" else {
        word.append(character)
        continue
      }
      if let escaped = rest.popFirst() { word.append(escaped) }
    }
    throw .malformed(line: line)
  }
}
