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

extension UnitRectangle {
  /// The largest part of a picture of `size` that has the shape of `box`, from its centre.
  package static func centred(of size: PixelSize, shape box: PixelSize) -> UnitRectangle {
    let (width, height) = (Double(size.width), Double(size.height))
    let (boxWidth, boxHeight) = (Double(box.width), Double(box.height))
    let scale = max(boxWidth / width, boxHeight / height)
    let part = (
      width: min(1, boxWidth / scale / width), height: min(1, boxHeight / scale / height)
    )
    return UnitRectangle(
      x: (1 - part.width) / 2, y: (1 - part.height) / 2, width: part.width, height: part.height)
  }

  /// The same middle with up to `factor` times the length where the picture goes on.
  func lengthened(_ factor: Double) -> UnitRectangle {
    let (longer, higher) = (min(1, width * factor), min(1, height * factor))
    return UnitRectangle(
      x: (1 - longer) / 2, y: (1 - higher) / 2, width: longer, height: higher)
  }

  /// Where this part of the displayed picture lies in the stored one.
  package func stored(_ orientation: Orientation) -> UnitRectangle {
    let turned =
      orientation.swapsAxes ? UnitRectangle(x: y, y: x, width: height, height: width) : self
    return UnitRectangle(
      x: orientation.mirrorsColumns ? 1 - turned.x - turned.width : turned.x,
      y: orientation.mirrorsRows ? 1 - turned.y - turned.height : turned.y,
      width: turned.width, height: turned.height)
  }

  /// Where this part of the stored picture lies in the displayed one.
  package func displayed(_ orientation: Orientation) -> UnitRectangle {
    let (x, y) = (
      orientation.mirrorsColumns ? 1 - x - width : x, orientation.mirrorsRows ? 1 - y - height : y
    )
    return orientation.swapsAxes
      ? UnitRectangle(x: y, y: x, width: height, height: width)
      : UnitRectangle(x: x, y: y, width: width, height: height)
  }
}
