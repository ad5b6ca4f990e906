extension MediaFormat {
  /// HTML or SVG by the first element, after a byte order mark, white space, XML prolog, comments
  /// and document type; nil for other text and for what is no text.
  static func markupFormat(_ bytes: Span<UInt8>) -> MediaFormat? {
    var scanner = MarkupScanner(bytes)
    return scanner.format()
  }
}

extension MediaFormat {
  /// The name of the first element, its prefix included, in lower case; nil for what is no markup.
  package static func markupRoot(_ bytes: Span<UInt8>) -> String? {
    var scanner = MarkupScanner(bytes)
    return scanner.rootName()
  }
}

/// Reads markup up to its first element.
private struct MarkupScanner {
  private let text: [UInt8]
  private var position = 0

  /// Text beyond this is not looked at.
  private static let reach = 65_536

  init(_ bytes: Span<UInt8>) {
    text = Self.asciiText(bytes)
  }

  /// The bytes as ASCII in lower case, whatever the encoding: UTF-16 is told by its mark, or by
  /// the zero beside the first `<` (XML 1.0 appendix F).
  private static func asciiText(_ bytes: Span<UInt8>) -> [UInt8] {
    let (first, second) = (bytes.byte(at: 0), bytes.byte(at: 1))
    let (start, step) =
      switch (first, second) {
      case (0xFF, 0xFE): (2, 2)
      case (0xFE, 0xFF): (3, 2)
      case (0x3C, 0): (0, 2)
      case (0, 0x3C): (1, 2)
      case (0xEF, 0xBB) where bytes.byte(at: 2) == 0xBF: (3, 1)
      default: (0, 1)
      }
    return stride(from: start, to: min(bytes.count, reach), by: step).map { index in
      let byte = bytes[index]
      return (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
  }

  /// What `format` looks at, by its name.
  mutating func rootName() -> String? {
    while true {
      skipWhiteSpace()
      if holds("<!--") {
        guard skip(past: "-->") else { return nil }
      } else if holds("<?") {
        guard skip(past: "?>") else { return nil }
      } else if holds("<!doctype") {
        guard skipDocumentType() else { return nil }
      } else {
        let name = holds("<") ? name(at: position + 1) : ""
        return name.isEmpty ? nil : name
      }
    }
  }

  mutating func format() -> MediaFormat? {
    var isXML = false
    // A comment first is HTML's own sign (WHATWG MIME Sniffing §7.1), unless XML announced itself.
    var fallback: MediaFormat?
    while true {
      skipWhiteSpace()
      if holds("<!--") {
        if !isXML { fallback = .html }
        guard skip(past: "-->") else { return fallback }
      } else if holds("<?") {
        isXML = true
        guard skip(past: "?>") else { return nil }
      } else if holds("<!doctype") {
        switch documentTypeName() {
        case "html": return .html
        case "svg": return .svg
        default: guard skipDocumentType() else { return fallback }
        }
      } else {
        return elementFormat(isXML: isXML) ?? fallback
      }
    }
  }

  /// By the element that starts here. In XML only the root of XHTML counts as HTML.
  private func elementFormat(isXML: Bool) -> MediaFormat? {
    guard holds("<") else { return nil }
    let name = name(at: position + 1)
    guard let after = byte(at: position + 1 + name.utf8.count), Self.endsName(after) else {
      return nil
    }
    let local = name.split(separator: ":").last ?? ""
    if local == "svg" { return .svg }
    if isXML { return local == "html" ? .html : nil }
    return Self.htmlElements.contains(name) ? .html : nil
  }

  /// The elements of WHATWG MIME Sniffing §7.1, and others that begin a page or a fragment of one.
  private static let htmlElements: Set = [
    "html", "head", "script", "iframe", "h1", "div", "font", "table", "a", "style", "title", "b",
    "body", "br", "p", "meta", "link", "base", "noscript", "center", "h2", "h3", "h4", "ul", "ol",
    "form", "img", "span", "section", "article", "main", "header", "nav", "frameset", "pre", "hr",
  ]

  private static func endsName(_ byte: UInt8) -> Bool {
    isWhiteSpace(byte) || byte == 0x3E || byte == 0x2F
  }

  private static func isWhiteSpace(_ byte: UInt8) -> Bool {
    [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains(byte)
  }

  private func byte(at index: Int) -> UInt8? {
    text.indices.contains(index) ? text[index] : nil
  }

  private func holds(_ expected: String) -> Bool {
    text[position...].starts(with: expected.utf8)
  }

  private mutating func skipWhiteSpace() {
    while let next = byte(at: position), Self.isWhiteSpace(next) { position += 1 }
  }

  /// Moves past the next `end`; false where none is within reach.
  private mutating func skip(past end: String) -> Bool {
    while position < text.count {
      if holds(end) {
        position += end.utf8.count
        return true
      }
      position += 1
    }
    return false
  }

  private func name(at start: Int) -> String {
    let isNameByte = { (byte: UInt8) in
      (0x61...0x7A).contains(byte) || (0x30...0x3A).contains(byte) || byte == 0x2D || byte == 0x5F
    }
    let limit = min(text.count, start + 32)
    guard start < limit else { return "" }
    return String(decoding: text[start..<limit].prefix(while: isNameByte), as: UTF8.self)
  }

  /// The root element that the document type announces.
  private func documentTypeName() -> String {
    var scanner = self
    scanner.position += "<!doctype".utf8.count
    scanner.skipWhiteSpace()
    return String(scanner.name(at: scanner.position).split(separator: ":").last ?? "")
  }

  /// Moves past a document type with its internal subset and quoted literals; false where it does
  /// not end.
  private mutating func skipDocumentType() -> Bool {
    var depth = 0
    var quote: UInt8?
    while let next = byte(at: position) {
      position += 1
      switch next {
      case _ where quote != nil: if next == quote { quote = nil }
      case 0x22, 0x27: quote = next
      case 0x5B: depth += 1
      case 0x5D: depth -= 1
      case 0x3E where depth <= 0: return true
      default: break
      }
    }
    return false
  }
}
