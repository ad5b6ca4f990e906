package import Media

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

extension UnitRectangle {
  /// The largest part of a picture of `size` that has the shape of `box`, from its centre.
  package static func centred(of size: PixelSize, shape box: PixelSize) -> UnitRectangle {
    let (width, height) = (Double(size.width), Double(size.height))
    let (boxWidth, boxHeight) = (Double(box.width), Double(box.height))
    let scale = max(boxWidth / width, boxHeight / height)
    let part = (width: boxWidth / scale / width, height: boxHeight / scale / height)
    return UnitRectangle(
      x: (1 - part.width) / 2, y: (1 - part.height) / 2, width: part.width, height: part.height)
  }

  /// Where this part of the displayed picture lies in the stored one.
  func stored(_ orientation: Orientation) -> UnitRectangle {
    let turned =
      orientation.swapsAxes ? UnitRectangle(x: y, y: x, width: height, height: width) : self
    return UnitRectangle(
      x: orientation.mirrorsColumns ? 1 - turned.x - turned.width : turned.x,
      y: orientation.mirrorsRows ? 1 - turned.y - turned.height : turned.y,
      width: turned.width, height: turned.height)
  }
}
