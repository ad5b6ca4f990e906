internal import Media

/// Brings a canvas to the size, the colours and the two kinds of alpha of a GIF's screen.
struct ScreenScaler {
  let plan: ScalingPlan
  private let canvas: PixelSize
  private let treatment: ColourTreatment
  private let flatten: RGBColour?
  private let raster: RasterDescription

  /// Alpha below this becomes nothing, from it on opaque: GIF knows nothing between.
  private static let opaqueAlpha: UInt32 = 128

  init(
    _ plan: ScalingPlan, canvas: PixelSize, treatment: ColourTreatment, flatten: RGBColour?
  ) {
    self.plan = plan
    self.canvas = canvas
    self.treatment = treatment
    self.flatten = flatten
    raster = RasterDescription(
      model: .rgb, hasAlpha: true, depth: .eight,
      planes: [RasterDescription.Plane(size: canvas, components: 4)])
  }

  /// As displayed.
  var size: PixelSize { plan.orientation.displayed(plan.size) }

  /// The pixels that a player's canvas gives: opaque ones and zeros.
  func screen(
    of player: borrowing any FramePlayer & ~Copyable
  ) throws(DecodeFailure) -> [UInt32] {
    guard
      plan.size != canvas || plan.part != .whole || plan.orientation != .up || treatment != .none
    else { return try copy(player) }
    let picture =
      treatment.wantsSixteenBits(.eight)
      ? try treatment.apply(try scaled(player, as: UInt16.self))
      : try treatment.apply(try scaled(player, as: UInt8.self))
    return pixels(of: picture)
  }

  private func copy(
    _ player: borrowing any FramePlayer & ~Copyable
  ) throws(DecodeFailure) -> [UInt32] {
    var pixels: [UInt32] = []
    pixels.reserveCapacity(canvas.width * canvas.height)
    for row in 0..<canvas.height {
      try player.withRow(row) { bytes in append(bytes, to: &pixels) }
    }
    return pixels
  }

  private func scaled<Sample: PixelSample>(
    _ player: borrowing any FramePlayer & ~Copyable, as: Sample.Type
  ) throws(DecodeFailure) -> BoundedPicture<Sample> {
    var scaler = PictureScaler<Sample>(plan, raster: raster, storedSize: canvas, chroma: .full)
    for row in 0..<canvas.height {
      try player.withRow(row) { scaler.consume($0, plane: 0) }
    }
    guard let picture = scaler.takePicture() else { throw .corrupt("an empty canvas") }
    return picture
  }

  private func pixels(of picture: BoundedPicture<UInt8>) -> [UInt32] {
    guard let plane = picture.planes.first else { return [] }
    var pixels: [UInt32] = []
    pixels.reserveCapacity(plane.size.width * plane.size.height)
    append(plane.samples.span, to: &pixels)
    return pixels
  }

  private func append(_ bytes: Span<UInt8>, to pixels: inout [UInt32]) {
    unsafe bytes.withUnsafeBytes { bytes in
      for offset in stride(from: 0, to: bytes.count, by: 4) {
        let pixel = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        pixels.append(settled(pixel))
      }
    }
  }

  @inline(__always)
  private func settled(_ pixel: UInt32) -> UInt32 {
    let alpha = pixel >> 24
    if alpha == 255 { return pixel }
    guard let flatten else { return alpha < Self.opaqueAlpha ? 0 : pixel | 0xFF00_0000 }
    var mixed: UInt32 = 0xFF00_0000
    for shift in [UInt32(0), 8, 16] {
      let (top, ground) = (pixel >> shift & 255, flatten.pixel >> shift & 255)
      mixed |= ((top * alpha + ground * (255 - alpha) + 127) / 255) << shift
    }
    return mixed
  }
}
