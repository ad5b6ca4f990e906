@_spi(_Unicode) internal import Swift

/// Makes foreign text fit to be shown on one line: no control characters, no bidirectional mark
/// without its partner, single spaces, composed characters (NFC), a bounded length.
package enum NotificationText {
  /// Most bytes of UTF-8 that each part keeps: several times what a device shows, and together
  /// small enough that no manifest grows out of hand.
  package enum Limit {
    package static let title = 1024
    package static let subtitle = 512
    package static let body = 4096
    package static let altText = 2048
  }

  /// The text by these rules, nil when nothing remains. Longer text is cut before a grapheme
  /// cluster and ends in an ellipsis.
  package static func clean(_ text: String, limit: Int) -> String? {
    let composed = composed(filtered(text, limit: limit))
    let balanced = BidirectionalMarks.balanced(cut(composed, limit: limit))
    // Marks that went may have stood between spaces.
    let words = balanced.split(separator: " ")
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  /// The longest start of whole grapheme clusters within `limit` bytes of UTF-8, with an ellipsis
  /// where something is left away. A first cluster that is larger by itself is cut at a scalar.
  package static func cut(_ text: String, limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    let room = limit - ellipsis.utf8.count
    guard room > 0 else { return "" }
    var end = text.startIndex
    var size = 0
    for index in text.indices {
      size += text[index].utf8.count
      guard size <= room else { break }
      end = text.index(after: index)
    }
    var kept = String(text[..<end])
    if kept.isEmpty { kept = scalars(of: text, limit: room) }
    while kept.last == " " { kept.removeLast() }
    return kept + ellipsis
  }

  static let ellipsis = "…"

  private static func scalars(of text: String, limit: Int) -> String {
    var kept = String.UnicodeScalarView()
    var size = 0
    for scalar in text.unicodeScalars {
      size += UTF8.width(scalar)
      guard size <= limit else { break }
      kept.append(scalar)
    }
    return String(kept)
  }

  /// Without control characters and with white space collapsed; a little more than `limit` bytes,
  /// so that the cut sees that there is more.
  private static func filtered(_ text: String, limit: Int) -> String {
    var kept = String.UnicodeScalarView()
    var size = 0
    var spaceIsDue = false
    for scalar in text.unicodeScalars {
      if scalar.properties.isWhitespace {
        spaceIsDue = size > 0
      } else if !isUnwanted(scalar) {
        if spaceIsDue { kept.append(" ") }
        size += UTF8.width(scalar) + (spaceIsDue ? 1 : 0)
        spaceIsDue = false
        kept.append(scalar)
        if size > 2 * limit { break }
      }
    }
    return String(kept)
  }

  /// Control characters, noncharacters, byte order marks and what stands for lost objects; joiners,
  /// variation selectors and tags stay, since emoji are made of them.
  private static func isUnwanted(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xFEFF, 0xFFF9...0xFFFC: true
    default:
      scalar.properties.generalCategory == .control || scalar.properties.isNoncharacterCodePoint
    }
  }

  /// Normalization form C, by the standard library's own tables.
  private static func composed(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: text._nfc)
    return String(scalars)
  }
}
