internal import Imaging

/// The description inside an ICC profile (ICC.1:2022, 9.2.41 `profileDescriptionTag`).
enum ProfileName {
  /// The first name the profile gives itself; nil where it has none that can be read.
  static func read(_ profile: [UInt8]) -> String? {
    try? description(profile)
  }

  private static func description(_ profile: [UInt8]) throws(DecodeFailure) -> String? {
    var header = BoxContent("prof", profile)
    try header.skip(128)
    let tags = try header.number(bytes: 4)
    for _ in 0..<min(tags, 100) {
      let signature = try header.code()
      let offset = try header.number(bytes: 4)
      let size = try header.number(bytes: 4)
      if signature == "desc" { return try text(profile, offset: offset, size: size) }
    }
    return nil
  }

  private static func text(
    _ profile: [UInt8], offset: Int, size: Int
  ) throws(DecodeFailure) -> String? {
    guard offset <= profile.count, size <= min(1024, profile.count - offset) else { return nil }
    var tag = BoxContent("desc", Array(profile[offset..<offset + size]))
    let type = try tag.code()
    try tag.skip(4)
    switch type {
    case "desc":
      // ICC version 2: a counted ASCII text.
      try tag.skip(4)
      return tag.text()
    case "mluc":
      // Version 4: texts in several languages, UTF-16BE; the first will do.
      try tag.skip(12)
      let length = try tag.number(bytes: 4)
      let start = try tag.number(bytes: 4)
      guard start >= 28 else { return nil }
      try tag.skip(start - 28)
      return try utf16(&tag, units: length / 2)
    default: return nil
    }
  }

  private static func utf16(
    _ tag: inout BoxContent, units: Int
  ) throws(DecodeFailure) -> String {
    var text: [UInt16] = []
    for _ in 0..<units { text.append(UInt16(truncatingIfNeeded: try tag.number(bytes: 2))) }
    return String(decoding: text, as: UTF16.self)
  }
}
