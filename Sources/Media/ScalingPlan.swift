/// Which part of a picture becomes how many pixels.
package struct ScalingPlan: Sendable, Hashable {
  /// How much longer than a cut the part may be that it is cut out of: bounds the memory for
  /// panoramas.
  private static let longestStrip = 4

  /// The part of the stored picture that is scaled.
  package let part: UnitRectangle
  /// The scaled part's size as stored; `orientation` turns it for display.
  package let size: PixelSize
  package let orientation: Orientation
  /// What is cut out of the scaled part once it is seen, as displayed; nil where all of it is shown.
  package let cut: PixelSize?

  /// The largest picture that the box holds; never enlarged.
  ///
  /// `contain` shows the whole picture, `cover` the `crop` (as displayed); without one a part that has
  /// the box's shape is cut out when the picture is known. The box applies to the displayed picture.
  /// Sizes are rounded to nearest, at least 1.
  package init(
    _ rendition: RenderRequest.Rendition, storedSize: PixelSize, orientation: Orientation,
    crop: UnitRectangle? = nil
  ) {
    let displayed = orientation.displayed(storedSize)
    let shown =
      switch rendition.fit {
      case .contain: UnitRectangle.whole
      case .cover: crop ?? .centred(of: displayed, shape: rendition.box)
      }
    let width = Double(displayed.width) * shown.width
    let height = Double(displayed.height) * shown.height
    let scale = min(
      1, Double(rendition.box.width) / width, Double(rendition.box.height) / height)
    let size = PixelSize(width: width * scale, height: height * scale)
    guard rendition.fit == .cover, crop == nil, shown != .whole else {
      self.init(
        part: shown.stored(orientation), size: orientation.displayed(size),
        orientation: orientation)
      return
    }
    let strip = shown.lengthened(Double(Self.longestStrip))
    let whole = PixelSize(
      width: Double(displayed.width) * strip.width * scale,
      height: Double(displayed.height) * strip.height * scale)
    self.init(
      part: strip.stored(orientation), size: orientation.displayed(whole),
      orientation: orientation, cut: size)
  }

  package init(
    part: UnitRectangle, size: PixelSize, orientation: Orientation, cut: PixelSize? = nil
  ) {
    self.part = part
    self.size = size
    self.orientation = orientation
    self.cut = cut
  }

  /// The same for a picture that is but a part of what is stored.
  package func within(_ whole: UnitRectangle) -> ScalingPlan {
    guard whole != .whole else { return self }
    let part = UnitRectangle(
      x: whole.x + part.x * whole.width, y: whole.y + part.y * whole.height,
      width: part.width * whole.width, height: part.height * whole.height)
    return ScalingPlan(part: part, size: size, orientation: orientation, cut: cut)
  }

  /// What the rendition measures, as displayed.
  package var shownSize: PixelSize { cut ?? orientation.displayed(size) }

  /// The size at which a decoder that scales must deliver the whole picture at least.
  package var needed: PixelSize {
    PixelSize(
      width: max(1, Int((Double(size.width) / part.width).rounded(.up))),
      height: max(1, Int((Double(size.height) / part.height).rounded(.up))))
  }
}

extension PixelSize {
  /// The size of a part.
  package func part(_ part: UnitRectangle) -> PixelSize {
    PixelSize(width: Double(width) * part.width, height: Double(height) * part.height)
  }

  /// Rounded to nearest, at least 1.
  fileprivate init(width: Double, height: Double) {
    self.init(width: max(1, Int(width.rounded())), height: max(1, Int(height.rounded())))
  }
}
