/// Text in UTF-16 behind a byte order mark: the one other encoding that XML has to be read in (XML 1.0
/// §4.3.3), and what Windows calls Unicode.
struct UTF16Text {
  private let units: [UInt16]
  private let isCut: Bool

  /// Nil for bytes without the mark.
  init?(_ bytes: some RandomAccessCollection<UInt8>) {
    let isBigEndian = bytes.starts(with: [0xFE, 0xFF])
    guard isBigEndian || bytes.starts(with: [0xFF, 0xFE]) else { return nil }
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var rest = bytes.dropFirst(2)
    while rest.count >= 2, let first = rest.popFirst(), let second = rest.popFirst() {
      let (first, second) = (UInt16(first), UInt16(second))
      units.append(isBigEndian ? first << 8 | second : second << 8 | first)
    }
    self.units = units
    isCut = !rest.isEmpty
  }

  /// The text, with replacements for what is none.
  var repaired: String { String(decoding: units, as: UTF16.self) }

  /// The same text in UTF-8; nil where it ends in the midst of a character, or holds half of one.
  var utf8: [UInt8]? {
    guard !isCut, let text = String(validating: units, as: UTF16.self) else { return nil }
    return Array(text.utf8)
  }
}
