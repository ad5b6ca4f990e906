internal import CLCMS
internal import Media

/// Colours of curves and a matrix to sRGB, in floating point.
///
/// Where lcms2 takes gray through a connection space of 16 bits, and 16-bit RGB through a table of
/// some thousand points, it is a dozen steps off in the shadows and at the edge of sRGB.
struct CurveTransform: Sendable {
  /// The light of each sample, a table for each component.
  private let lights: [[Float]]
  /// Rows to linear sRGB; empty for gray.
  private let rows: [SIMD3<Float>]

  /// Nil for a profile that has a table, inks, or a black that is lighter than none: lcms2's business.
  init?(_ profile: borrowing ProfileHandle, model: ColourModel, sampleCount: Int) {
    let tags =
      model == .gray
      ? [cmsSigGrayTRCTag] : [cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag]
    guard model != .cmyk, !profile.hasTable(),
      unsafe cmsGetPCS(profile.handle) == cmsSigXYZData
    else { return nil }
    var lights: [[Float]] = []
    for tag in tags {
      guard let curve = profile.lights(tag, of: sampleCount), curve[0] < 1e-4 else { return nil }
      lights.append(curve.map { Float($0) })
    }
    self.lights = lights
    guard model != .gray else {
      rows = []
      return
    }
    guard let source = profile.colorants(),
      let target = ProfileHandle.sRGB()?.colorants()?.inverse
    else { return nil }
    rows = (target * source).rows.map { SIMD3<Float>($0) }
  }

  /// Converts interleaved gray or RGB; alpha is kept.
  func apply<Sample: PixelSample>(
    _ plane: PixelPlane<Sample>, hasAlpha: Bool
  ) -> PixelPlane<UInt8> {
    let samples =
      rows.isEmpty ? gray(plane, step: hasAlpha ? 2 : 1) : rgb(plane, step: hasAlpha ? 4 : 3)
    return PixelPlane(size: plane.size, components: plane.components, samples: samples)
  }

  private func gray<Sample: PixelSample>(_ plane: PixelPlane<Sample>, step: Int) -> [UInt8] {
    let shades = lights[0].map { Self.sample($0) }
    var output = [UInt8](repeating: 0, count: plane.samples.count)
    for pixel in stride(from: 0, to: output.count - step + 1, by: step) {
      output[pixel] = shades[Int(plane.samples[pixel])]
      if step == 2 { output[pixel + 1] = Self.alpha(plane.samples[pixel + 1]) }
    }
    return output
  }

  private func rgb<Sample: PixelSample>(_ plane: PixelPlane<Sample>, step: Int) -> [UInt8] {
    let shades = (0...65_535).map { Self.sample(Float($0) / 65_535) }
    var output = [UInt8](repeating: 0, count: plane.samples.count)
    for pixel in stride(from: 0, to: output.count - step + 1, by: step) {
      let colour = SIMD3<Float>(
        lights[0][Int(plane.samples[pixel])], lights[1][Int(plane.samples[pixel + 1])],
        lights[2][Int(plane.samples[pixel + 2])])
      for component in 0..<3 {
        let light = min(1, max(0, (rows[component] * colour).sum()))
        output[pixel + component] = shades[Int((light * 65_535).rounded())]
      }
      if step == 4 { output[pixel + 3] = Self.alpha(plane.samples[pixel + 3]) }
    }
    return output
  }

  private static func sample(_ light: Float) -> UInt8 {
    UInt8((TransferCurve.sRGBSample(Double(light)) * 255).rounded())
  }

  private static func alpha<Sample: PixelSample>(_ sample: Sample) -> UInt8 {
    Sample.bitWidth == 8
      ? UInt8(truncatingIfNeeded: sample) : UInt8((UInt32(truncatingIfNeeded: sample) + 128) / 257)
  }
}
