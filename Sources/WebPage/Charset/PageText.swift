internal import Media

/// A page's bytes as UTF-8, by the charset that counts: a byte order mark's (which cannot be wrong),
/// else the Content-Type field's, else the page's own.
struct PageText {
  private(set) var utf8: [UInt8] = []
  private(set) var problems: [Problem] = []

  init(_ bytes: [UInt8], contentType: String?) {
    if let (charset, length) = Self.byteOrderMark(bytes) {
      utf8 = Self.decode(Array(bytes.dropFirst(length)), charset) ?? []
    } else {
      utf8 = decodeAsDeclared(bytes, contentType: contentType)
    }
    // The parser would take a zero for the end.
    if utf8.contains(0) { utf8 = utf8.map { $0 == 0 ? 0x20 : $0 } }
    dropUnfinishedTag()
  }

  /// Whether any tag starts: a parser of HTML finds a paragraph in every text.
  var hasElements: Bool {
    zip(utf8, utf8.dropFirst()).contains { $0 == 0x3C && (0x41...0x5A).contains($1 & 0xDF) }
  }

  /// A tag that the end cuts may hold half an address.
  private mutating func dropUnfinishedTag() {
    guard let start = utf8.lastIndex(of: UInt8(ascii: "<")),
      !utf8[start...].contains(UInt8(ascii: ">"))
    else { return }
    utf8.removeSubrange(start...)
  }

  private static func byteOrderMark(_ bytes: [UInt8]) -> (Charset, length: Int)? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BE, 2) }
    if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LE, 2) }
    return nil
  }

  private mutating func decodeAsDeclared(_ bytes: [UInt8], contentType: String?) -> [UInt8] {
    if let label = contentType.flatMap({ CharsetParameter.value(in: $0) }),
      let text = decode(bytes, label: label)
    {
      return text
    }
    if let label = DeclaredCharset.label(in: bytes), let text = decode(bytes, label: label) {
      return text
    }
    if let charset = Self.wideCharset(bytes), let text = Self.decode(bytes, charset) { return text }
    if Self.isUTF8(bytes) { return bytes }
    return Self.decode(bytes, .windows1252) ?? Self.decode(bytes, .utf8) ?? []
  }

  private mutating func decode(_ bytes: [UInt8], label: String) -> [UInt8]? {
    guard var charset = Charset(label: label) else {
      note("the charset '\(label.prefix(60))' is not known")
      return nil
    }
    // What could be read far enough to find the label is not what it says (WHATWG HTML).
    if charset == .utf16BE || charset == .utf16LE {
      charset = Self.wideCharset(bytes) ?? (bytes.contains(0) ? charset : .utf8)
    }
    guard let text = Self.decode(bytes, charset) else {
      note("the system has no converter for '\(label.prefix(60))'")
      return nil
    }
    return text
  }

  private mutating func note(_ message: String) {
    problems.append(
      Problem(
        .page, .unsupportedCharset, "\(message): read as UTF-8, else windows-1252",
        severity: .note))
  }

  private static func decode(_ bytes: [UInt8], _ charset: Charset) -> [UInt8]? {
    switch charset {
    case .utf8: Array(String(decoding: bytes, as: UTF8.self).utf8)
    case .utf16BE: utf16(bytes, high: 0)
    case .utf16LE: utf16(bytes, high: 1)
    default: CharsetConverter(charset)?.convert(bytes)
    }
  }

  private static func utf16(_ bytes: [UInt8], high: Int) -> [UInt8] {
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
      UInt16(bytes[index + high]) << 8 | UInt16(bytes[index + 1 - high])
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// UTF-16 without a mark, by the zero beside the first `<` (XML 1.0 appendix F).
  private static func wideCharset(_ bytes: [UInt8]) -> Charset? {
    if bytes.starts(with: [0x3C, 0]) { return .utf16LE }
    if bytes.starts(with: [0, 0x3C]) { return .utf16BE }
    return nil
  }

  /// Whether the bytes are UTF-8, a character that the end cuts aside.
  private static func isUTF8(_ bytes: [UInt8]) -> Bool {
    (0...3).contains { cut in
      String(validating: bytes.dropLast(cut), as: UTF8.self) != nil
    }
  }
}
