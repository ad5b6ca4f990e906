package import Media

/// A picture of at most 256 colours.
package struct IndexedPicture: Sendable, Hashable {
  package var size: PixelSize
  package var palette: [RGBColour]
  /// The palette's index that shows what lies behind; nil where the picture is opaque.
  package var transparentIndex: Int?
  /// One index a pixel.
  package var indices: [UInt8]

  package init(
    size: PixelSize, palette: [RGBColour], transparentIndex: Int?, indices: [UInt8]
  ) {
    self.size = size
    self.palette = palette
    self.transparentIndex = transparentIndex
    self.indices = indices
  }
}
