package import Media

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
