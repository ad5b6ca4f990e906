/// The name that an ICC profile gives itself.
enum ProfileName {
  private static let maxCharacters = 100

  /// The `desc` tag's text (ICC.1:2022 clause 9.2.41, and textDescriptionType of version 2); nil
  /// where there is none.
  static func read(_ profile: [UInt8]) -> String? {
    guard let tags = profile.unsigned(at: 128, bytes: 4, .big) else { return nil }
    for index in 0..<min(tags, 100) {
      let entry = 132 + index * 12
      guard profile.matches("desc", at: entry) else { continue }
      guard let offset = profile.unsigned(at: entry + 4, bytes: 4, .big) else { return nil }
      let text =
        profile.matches("mluc", at: offset)
        ? localised(profile, at: offset) : ascii(profile, at: offset)
      return text.flatMap(printable)
    }
    return nil
  }

  private static func ascii(_ profile: [UInt8], at offset: Int) -> String? {
    guard profile.matches("desc", at: offset),
      let length = profile.unsigned(at: offset + 8, bytes: 4, .big),
      offset + 12 + length <= profile.count
    else { return nil }
    return String(
      decoding: profile[(offset + 12)...].prefix(length).prefix { $0 != 0 }, as: UTF8.self)
  }

  /// The first record of a multiLocalizedUnicodeType: UTF-16, big-endian.
  private static func localised(_ profile: [UInt8], at offset: Int) -> String? {
    guard let length = profile.unsigned(at: offset + 20, bytes: 4, .big),
      let start = profile.unsigned(at: offset + 24, bytes: 4, .big),
      offset + start + length <= profile.count
    else { return nil }
    let units = (0..<min(length / 2, maxCharacters)).compactMap { index in
      profile.unsigned(at: offset + start + index * 2, bytes: 2, .big).map(UInt16.init)
    }
    return String(decoding: units, as: UTF16.self)
  }

  private static func printable(_ text: String) -> String? {
    let kept = text.unicodeScalars.filter {
      !$0.properties.isDefaultIgnorableCodePoint && $0.value >= 32
    }
    let name = String(String(String.UnicodeScalarView(kept)).prefix(maxCharacters))
    return name.isEmpty ? nil : name
  }
}
