internal import Media

/// Whole pixels of a canvas, from its upper left corner.
struct PixelRectangle: Sendable, Hashable {
  var left: Int
  var top: Int
  var width: Int
  var height: Int

  init(left: Int, top: Int, width: Int, height: Int) {
    self.left = left
    self.top = top
    self.width = width
    self.height = height
  }

  init(_ size: PixelSize) {
    self.init(left: 0, top: 0, width: size.width, height: size.height)
  }

  var right: Int { left + width }
  var bottom: Int { top + height }
  var area: Int { width * height }
  var size: PixelSize { PixelSize(width: width, height: height) }

  /// The part of it that lies on a canvas; nil where none does.
  func clipped(to canvas: PixelSize) -> PixelRectangle? {
    let clipped = PixelRectangle(
      left: left, top: top, width: min(right, canvas.width) - left,
      height: min(bottom, canvas.height) - top)
    guard left >= 0, top >= 0, clipped.width > 0, clipped.height > 0 else { return nil }
    return clipped
  }

  /// The smallest rectangle that holds both.
  func union(_ other: PixelRectangle) -> PixelRectangle {
    let (x, y) = (min(left, other.left), min(top, other.top))
    return PixelRectangle(
      left: x, top: y, width: max(right, other.right) - x, height: max(bottom, other.bottom) - y)
  }
}
