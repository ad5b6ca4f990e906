/// What makes a picture look right before it is shown, and when it is shown small.
package struct PictureHints: Sendable, Hashable {
  /// A blurred likeness, 5…25 bytes: the published ThumbHash format.
  package var thumbHash: [UInt8]
  /// Nil for a picture that is all transparent.
  package var dominantColour: RGBColour?
  /// The largest square that holds most of what matters, as displayed.
  package var square: UnitRectangle

  package init(thumbHash: [UInt8], dominantColour: RGBColour?, square: UnitRectangle) {
    self.thumbHash = thumbHash
    self.dominantColour = dominantColour
    self.square = square
  }
}

extension RGBColour {
  /// `#rrggbb`.
  package var hexadecimal: String {
    let digits = [red, green, blue].map { value in
      let text = String(value, radix: 16)
      return text.count == 1 ? "0\(text)" : text
    }
    return "#\(digits.joined())"
  }
}
