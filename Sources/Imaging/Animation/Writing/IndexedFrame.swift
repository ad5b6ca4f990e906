internal import Media

/// A part of the screen in at most 256 colours, and what is shown through it.
struct IndexedFrame {
  var part: PixelRectangle
  var palette: [RGBColour]
  /// Whether the palette is that of the whole file.
  var isGlobal = false
  /// Nil where the palette is full and every pixel drawn.
  var transparentIndex: Int?
  /// One a pixel of the part.
  var indices: [UInt8]

  /// The same drawing on a larger part.
  mutating func extend(to larger: PixelRectangle) {
    guard larger != part, let transparentIndex else { return }
    var extended = [UInt8](repeating: UInt8(transparentIndex), count: larger.area)
    for row in 0..<part.height {
      let target = (part.top - larger.top + row) * larger.width + part.left - larger.left
      for x in 0..<part.width { extended[target + x] = indices[row * part.width + x] }
    }
    part = larger
    indices = extended
  }
}
