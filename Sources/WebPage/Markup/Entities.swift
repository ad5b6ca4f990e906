/// Character references where no parser resolves them: in scripts.
enum Entities {
  /// The text with each `&name;`, `&#n;` and `&#xh;` resolved once; others stay as they are.
  static func decode(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var position = 0
    while position < bytes.count {
      let rest = bytes[position...]
      if rest.first == UInt8(ascii: "&"), let (text, length) = reference(rest) {
        result += Array(text.utf8)
        position += length
      } else {
        result.append(bytes[position])
        position += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The reference that starts here, and how many bytes it takes.
  private static func reference(_ bytes: ArraySlice<UInt8>) -> (String, length: Int)? {
    let body = bytes.dropFirst().prefix(longest)
    guard let end = body.firstIndex(of: UInt8(ascii: ";")),
      let text = text(String(decoding: body[..<end], as: UTF8.self))
    else { return nil }
    return (text, end + 1 - bytes.startIndex)
  }

  /// Control characters from 0x80 on are what windows-1252 has there (WHATWG HTML, "numeric
  /// character reference end state"): the parser leaves them.
  static func repaired(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { (0x80...0x9F).contains($0.value) }) else {
      return text
    }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { scalars.append(repaired(scalar)) }
    return String(scalars)
  }

  /// Bytes between `&` and `;`.
  private static let longest = NamedReferences.longest + 1

  private static func text(_ body: String) -> String? {
    guard body.first == "#" else { return NamedReferences.text(of: body) }
    let number = body.dropFirst()
    let value =
      number.first == "x" || number.first == "X"
      ? UInt32(number.dropFirst(), radix: 16) : UInt32(number)
    return value.flatMap { Unicode.Scalar($0) }.map { String(repaired($0)) }
  }

  private static func repaired(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard (0x80...0x9F).contains(scalar.value),
      let value = Unicode.Scalar(windows1252[Int(scalar.value) - 0x80])
    else { return scalar }
    return value
  }

  private static let windows1252: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]
}
