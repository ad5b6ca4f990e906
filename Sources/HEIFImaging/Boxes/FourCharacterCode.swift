/// The four ASCII characters that name a box, an item type or a brand (ISO/IEC 14496-12, 4.2).
struct FourCharacterCode: Hashable, Sendable {
  let rawValue: UInt32

  init(_ rawValue: UInt32) {
    self.rawValue = rawValue
  }
}

extension FourCharacterCode: ExpressibleByStringLiteral {
  init(stringLiteral text: String) {
    rawValue = text.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension FourCharacterCode: CustomStringConvertible {
  /// The characters, with a question mark for what cannot be printed.
  var description: String {
    let characters = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> UInt32($0)) }
    return String(
      decoding: characters.map { 0x20...0x7e ~= $0 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
  }
}
