// Quantities as the contract writes them: sizes are decimal (`500kB`, `2 GB`, `0`), durations are
// `250ms`, `30s`, `5m`, `48h`, `7d`.

extension Duration {
  /// Reads `250ms`, `30s`, `5m`, `48h` or `7d`; nil for anything else, and for what exceeds a century.
  package init?(contractText text: String) {
    let units: [(suffix: String, milliseconds: Int64)] = [
      ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]
    guard let unit = units.first(where: { text.hasSuffix($0.suffix) }),
      let number = Int64(plainDigits: text.dropLast(unit.suffix.count))
    else { return nil }
    let (milliseconds, overflow) = number.multipliedReportingOverflow(by: unit.milliseconds)
    guard !overflow, milliseconds <= 36_525 * 86_400_000 else { return nil }
    self = .milliseconds(milliseconds)
  }

  /// The shortest form that `init(contractText:)` reads back, to the millisecond.
  package var contractText: String {
    let milliseconds = wholeMilliseconds
    let units: [(String, Int64)] = [
      ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000),
    ]
    for (suffix, length) in units where milliseconds != 0 && milliseconds % length == 0 {
      return "\(milliseconds / length)\(suffix)"
    }
    return milliseconds == 0 ? "0s" : "\(milliseconds)ms"
  }

  /// Whole milliseconds, rounded down.
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}

/// A number of bytes in decimal units.
package enum ByteCount {
  private static let units: [(suffix: String, bytes: Int)] = [
    ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000), ("KB", 1000), ("B", 1), ("", 1),
  ]

  /// Reads `0`, `500000`, `500kB`, `10MB`, `2 GB`; nil for anything else.
  package static func parse(_ text: String) -> Int? {
    guard let unit = units.first(where: { text.hasSuffix($0.suffix) }) else { return nil }
    var digits = text.dropLast(unit.suffix.count)
    if digits.hasSuffix(" ") { digits.removeLast() }
    guard let number = Int64(plainDigits: digits) else { return nil }
    let (bytes, overflow) = Int(number).multipliedReportingOverflow(by: unit.bytes)
    return overflow ? nil : bytes
  }

  /// One decimal at most: `183 kB`, `3.1 MB`.
  package static func text(_ bytes: Int) -> String {
    guard let unit = units.prefix(3).first(where: { bytes >= $0.bytes }) else {
      return "\(bytes) B"
    }
    let tenths = (bytes * 10 + unit.bytes / 2) / unit.bytes
    guard tenths < 100, tenths % 10 != 0 else { return "\((tenths + 5) / 10) \(unit.suffix)" }
    return "\(tenths / 10).\(tenths % 10) \(unit.suffix)"
  }
}

extension PixelSize {
  /// Reads `WxH`, or `WxH@S` in points times a scale of 1…4; nil for anything else and for what
  /// exceeds 16,384 pixels a side.
  package init?(contractText text: String) {
    let halves = text.split(separator: "@", omittingEmptySubsequences: false)
    let sides = halves[0].split(separator: "x", omittingEmptySubsequences: false)
    guard halves.count <= 2, sides.count == 2,
      let width = Int64(plainDigits: sides[0]), let height = Int64(plainDigits: sides[1]),
      let scale = halves.count == 2 ? Int64(plainDigits: halves[1]) : 1,
      (1...16_384).contains(width), (1...16_384).contains(height), (1...4).contains(scale),
      width * scale <= 16_384, height * scale <= 16_384
    else { return nil }
    self.init(width: Int(width * scale), height: Int(height * scale))
  }
}

extension RGBColour {
  /// Reads `#rgb`, `#rrggbb` (the `#` may be missing), `white` or `black`; nil for anything else.
  package init?(contractText text: String) {
    switch text.lowercased() {
    case "white": self.init(red: 255, green: 255, blue: 255)
    case "black": self.init(red: 0, green: 0, blue: 0)
    default:
      var digits = text.hasPrefix("#") ? String(text.dropFirst()) : text
      if digits.count == 3 { digits = digits.map { "\($0)\($0)" }.joined() }
      guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit),
        let number = UInt32(digits, radix: 16)
      else { return nil }
      self.init(
        red: UInt8(truncatingIfNeeded: number >> 16), green: UInt8(truncatingIfNeeded: number >> 8),
        blue: UInt8(truncatingIfNeeded: number))
    }
  }
}

extension Int64 {
  /// A number written in ASCII digits alone, at least one of them.
  fileprivate init?(plainDigits text: Substring) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    self.init(text)
  }
}
