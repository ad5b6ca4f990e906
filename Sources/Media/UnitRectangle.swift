/// A part of a picture, in shares of its width and height (0…1).
package struct UnitRectangle: Sendable, Hashable {
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  package init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  package static let whole = UnitRectangle(x: 0, y: 0, width: 1, height: 1)

  /// The same to four digits, and still inside the picture.
  package var rounded: UnitRectangle {
    func digits(_ value: Double) -> Double { (value * 10_000).rounded(.down) / 10_000 }
    return UnitRectangle(
      x: digits(x), y: digits(y), width: digits(width), height: digits(height))
  }
}
