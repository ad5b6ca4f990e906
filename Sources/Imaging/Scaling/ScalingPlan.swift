package import Media

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
  /// Rounded to nearest, at least 1.
  fileprivate init(width: Double, height: Double) {
    self.init(width: max(1, Int(width.rounded())), height: max(1, Int(height.rounded())))
  }
}

/// One axis of a plan: stored pixels, delivered samples, output samples.
struct ScalingAxis: Sendable, Hashable {
  /// Delivered samples of plane 0.
  let delivered: Int
  /// Where the shown part begins, in delivered samples.
  let origin: Double
  /// Delivered samples for one output sample.
  let step: Double
  let outputCount: Int

  init(stored: Int, delivered: Int, start: Double, length: Double, outputCount: Int) {
    let content = Self.contentLength(stored: stored, delivered: delivered)
    self.delivered = delivered
    origin = start * content
    step = length * content / Double(outputCount)
    self.outputCount = outputCount
  }

  /// The picture's length in delivered samples: the last one is partly padding where a decoder
  /// scaled by eighths and rounded up (libjpeg).
  private static func contentLength(stored: Int, delivered: Int) -> Double {
    for eighths in [8, 4, 2, 1, 3, 5, 6, 7] where (stored * eighths + 7) / 8 == delivered {
      return Double(stored * eighths) / 8
    }
    return Double(delivered)
  }

  var kernel: ResamplingKernel {
    ResamplingKernel(
      inputCount: delivered, origin: origin, step: step, outputCount: outputCount)
  }

  /// The kernel of a chroma plane with `count` samples, centred between the luma samples it covers.
  ///
  /// Output chroma of half the size covers output samples in pairs; `mirrored` says that the pairs
  /// are counted from the far end, since the output will be turned over.
  func chromaKernel(count: Int, halved: Bool, mirrored: Bool) -> ResamplingKernel {
    let factor = Double(Self.lumaSamples(delivered, per: count))
    let outputs = halved ? (outputCount + 1) / 2 : outputCount
    let unpaired = halved && mirrored && outputCount % 2 == 1
    return ResamplingKernel(
      inputCount: count, origin: (origin - (unpaired ? step : 0)) / factor,
      step: (halved ? 2 : 1) * step / factor, outputCount: outputs)
  }

  /// How many luma samples one chroma sample covers.
  private static func lumaSamples(_ luma: Int, per chroma: Int) -> Int {
    for factor in [1, 2, 4, 3] where (luma + factor - 1) / factor == chroma { return factor }
    return max(1, Int((Double(luma) / Double(max(1, chroma))).rounded()))
  }
}
