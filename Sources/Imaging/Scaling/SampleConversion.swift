/// Samples to Float and back, alpha multiplied in on the way and out again.
///
/// These loops run for every sample of a picture: they are inlined into one method per sample type
/// (`PixelSample`), since unspecialised generic arithmetic is a hundred times slower.
enum SampleConversion {
  /// - Safety: `input` and `output` have `count` samples.
  @unsafe @inline(__always) static func widen<Sample: PixelSample>(
    _ input: UnsafePointer<Sample>, count: Int, into output: UnsafeMutablePointer<Float>
  ) {
    for index in 0..<count { unsafe output[index] = Float(input[index]) }
  }

  /// Multiplies colours by alpha, so that a transparent pixel's colour never bleeds into its
  /// neighbours.
  ///
  /// - Safety: `input` and `output` have `count` samples.
  @unsafe @inline(__always) static func widenPremultiplied<Sample: PixelSample>(
    _ input: UnsafePointer<Sample>, count: Int, components: Int,
    into output: UnsafeMutablePointer<Float>
  ) {
    let colours = components - 1
    let unit = Sample.unit
    for pixel in stride(from: 0, to: count - colours, by: components) {
      let alpha = unsafe Float(input[pixel + colours])
      let factor = alpha / unit
      for index in pixel..<pixel + colours {
        unsafe output[index] = Float(input[index]) * factor
      }
      unsafe output[pixel + colours] = alpha
    }
  }

  /// Divides colours by alpha, in units of `unit`.
  ///
  /// - Safety: `row` has `count` samples.
  @unsafe static func unpremultiply(
    _ row: UnsafeMutablePointer<Float>, count: Int, components: Int, unit: Float
  ) {
    let colours = components - 1
    for pixel in stride(from: 0, to: count - colours, by: components) {
      let alpha = unsafe row[pixel + colours]
      // Below half a step of 16 bits alpha is written as 0, and the colour does not matter.
      let factor = alpha > unit / 131_072 ? unit / alpha : 0
      for index in pixel..<pixel + colours { unsafe row[index] *= factor }
    }
  }

  /// Rounds `row` × `factor` to samples.
  ///
  /// - Safety: `row` and `output` have `count` samples.
  @unsafe @inline(__always) static func narrow<Sample: PixelSample>(
    _ row: UnsafePointer<Float>, factor: Float, count: Int,
    into output: UnsafeMutablePointer<Sample>
  ) {
    for index in 0..<count { unsafe output[index] = rounded(row[index] * factor) }
  }

  /// The nearest sample.
  ///
  /// 2^23 + x holds x, rounded to nearest, in the lowest bits of its mantissa: a conversion without a
  /// range check, which the compiler turns into vector code.
  @inline(__always) static func rounded<Sample: PixelSample>(_ value: Float) -> Sample {
    let floor = value > 0 ? value : 0
    let bounded = floor < Sample.unit ? floor : Sample.unit
    return Sample(truncatingIfNeeded: (bounded + 8_388_608).bitPattern)
  }
}
