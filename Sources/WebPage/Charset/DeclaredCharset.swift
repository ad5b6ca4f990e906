/// The charset that a page declares for itself, found before it is decoded (WHATWG HTML,
/// "prescan a byte stream to determine its encoding"): in the XML declaration or the first `<meta>`
/// that has one.
struct DeclaredCharset {
  private let bytes: [UInt8]
  private var position = 0

  /// Browsers look at 1,024 bytes; pages with long comments or scripts first are common.
  private static let reach = 16 << 10

  private init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }

  /// The label as it is written, in lower case; nil where none is.
  static func label(in page: [UInt8]) -> String? {
    var scanner = DeclaredCharset(page.prefix(reach))
    return scanner.label()
  }

  private mutating func label() -> String? {
    if bytes.starts(with: "<?xml".utf8) {
      position = 5
      if let label = attributes()["encoding"] { return label }
    }
    while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      position = start
      if holds("<!--") {
        skip(past: "-->")
      } else if holds("<meta"), endsName(start + 5) {
        position = start + 5
        if let label = Self.label(of: attributes()) { return label }
      } else {
        position += 1
      }
    }
    return nil
  }

  private static func label(of attributes: [String: String]) -> String? {
    if let label = attributes["charset"] { return label }
    guard attributes["http-equiv"] == "content-type" else { return nil }
    return attributes["content"].flatMap { CharsetParameter.value(in: $0) }
  }

  /// The attributes up to the tag's end; the first of a name counts.
  private mutating func attributes() -> [String: String] {
    var found: [String: String] = [:]
    while true {
      skipWhile { Self.isSpace($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
      guard let next = current, next != UInt8(ascii: ">") else { return found }
      let name = take { !Self.isSpace($0) && !"=>/".utf8.contains($0) }
      skipWhile(Self.isSpace)
      guard current == UInt8(ascii: "=") else {
        // A lone equals sign or slash would not be passed otherwise.
        if name.isEmpty { position += 1 }
        continue
      }
      position += 1
      skipWhile(Self.isSpace)
      let value = value()
      if found[name] == nil { found[name] = value }
    }
  }

  private mutating func value() -> String {
    guard let quote = current, quote == 0x22 || quote == 0x27 else {
      return take { !Self.isSpace($0) && $0 != UInt8(ascii: ">") }
    }
    position += 1
    defer { position = min(bytes.count, position + 1) }
    return take { $0 != quote }
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipWhile(_ condition: (UInt8) -> Bool) {
    while let byte = current, condition(byte) { position += 1 }
  }

  private mutating func take(while condition: (UInt8) -> Bool) -> String {
    let start = position
    skipWhile(condition)
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private func holds(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  private func endsName(_ index: Int) -> Bool {
    index < bytes.count && (Self.isSpace(bytes[index]) || bytes[index] == UInt8(ascii: "/"))
  }

  private mutating func skip(past end: String) {
    while position < bytes.count, !holds(end) { position += 1 }
    position = min(bytes.count, position + end.utf8.count)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
