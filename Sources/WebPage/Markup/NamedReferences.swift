/// Named character references as HTML has them (WHATWG HTML, 13.2.5.73 "named character reference
/// state"): libxml2 knows those of HTML 4, and none without its semicolon.
enum NamedReferences {
  /// The longest name, without its semicolon.
  static let longest = 31
  private static let longestWithoutSemicolon = 6

  private struct Entry {
    let text: String
    let needsSemicolon: Bool
  }

  private static let entries: [String: Entry] = {
    var entries: [String: Entry] = [:]
    entries.reserveCapacity(2125)
    for item in table.utf8.split(whereSeparator: { $0 == 0x20 || $0 == 0x0A }) {
      guard let mark = item.firstIndex(where: { "=!".utf8.contains($0) }) else { continue }
      let scalars = item[item.index(after: mark)...].split(separator: UInt8(ascii: "+"))
        .compactMap { UInt32(Substring($0), radix: 16).flatMap(Unicode.Scalar.init) }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      entries[String(Substring(item[..<mark]))] = Entry(
        text: String(text), needsSemicolon: item[mark] == UInt8(ascii: "="))
    }
    return entries
  }()

  /// The characters of a name that ends in a semicolon; nil where there is none such.
  static func text(of name: String) -> String? { entries[name]?.text }

  /// The longest name that `bytes` begin with, behind an ampersand: its characters, and the bytes that
  /// it takes with its semicolon, if it has one. Nil where there is none, or where it is to be left
  /// alone: a name without semicolon in an attribute, where an address goes on behind it.
  static func match(
    _ bytes: ArraySlice<UInt8>, inAttribute isAttribute: Bool
  ) -> (text: String, length: Int)? {
    let run = bytes.prefix(longest).prefix(while: \.isLetterOrDigit)
    guard run.count > 1 else { return nil }
    if run.endIndex < bytes.endIndex, bytes[run.endIndex] == UInt8(ascii: ";"),
      let entry = entries[String(decoding: run, as: UTF8.self)]
    {
      return (entry.text, run.count + 1)
    }
    for count in stride(from: min(run.count, longestWithoutSemicolon), to: 1, by: -1) {
      guard let entry = entries[String(decoding: run.prefix(count), as: UTF8.self)],
        !entry.needsSemicolon
      else { continue }
      let next = bytes.dropFirst(count).first
      let goesOn = next.map { $0 == UInt8(ascii: "=") || $0.isLetterOrDigit } ?? false
      return isAttribute && goesOn ? nil : (entry.text, count)
    }
    return nil
  }

  /// Characters as they may stand anywhere in a page: those of ASCII by their number.
  static func written(_ text: String) -> [UInt8] {
    text.unicodeScalars.flatMap {
      $0.isASCII ? Array("&#\($0.value);".utf8) : Array(String($0).utf8)
    }
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    (0x41...0x5A).contains(self & 0xDF) || (0x30...0x39).contains(self)
  }
}
