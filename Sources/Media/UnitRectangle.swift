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
}
