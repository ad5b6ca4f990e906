/// Samples to Float and back, alpha multiplied in on the way and out again.
enum SampleConversion {
  /// Widens a row; with alpha, its colours are multiplied by alpha, so that a transparent pixel's
  /// colour never bleeds into its neighbours.
  ///
  /// - Safety: `output` has room for `row.count` samples.
  @unsafe static func widen<Sample: PixelSample>(
    _ row: Span<Sample>, components: Int, hasAlpha: Bool, into output: UnsafeMutablePointer<Float>
  ) {
    unsafe row.withUnsafeBufferPointer { buffer in
      guard let input = buffer.baseAddress else { return }
      guard hasAlpha else {
        for index in 0..<buffer.count { unsafe output[index] = Float(input[index]) }
        return
      }
      let colours = components - 1
      for pixel in stride(from: 0, to: buffer.count - colours, by: components) {
        let alpha = unsafe Float(input[pixel + colours])
        let factor = alpha / Sample.unit
        for index in pixel..<pixel + colours {
          unsafe output[index] = Float(input[index]) * factor
        }
        unsafe output[pixel + colours] = alpha
      }
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
      // Below half a step alpha is written as 0, and the colour does not matter.
      let factor = alpha > unit / 65_535 / 2 ? unit / alpha : 0
      for index in pixel..<pixel + colours { unsafe row[index] *= factor }
    }
  }

  /// Rounds `row` × `factor` to samples.
  ///
  /// - Safety: `row` and `output` have `count` samples.
  @unsafe static func narrow<Sample: PixelSample>(
    _ row: UnsafePointer<Float>, factor: Float, count: Int,
    into output: UnsafeMutablePointer<Sample>
  ) {
    // 2^23 + x holds x, rounded to nearest, in the lowest bits of its mantissa: a conversion without
    // a range check, which the compiler turns into vector code.
    let roundingBias: Float = 8_388_608
    for index in 0..<count {
      let value = unsafe row[index] * factor
      let floor = value > 0 ? value : 0
      let bounded = floor < Sample.unit ? floor : Sample.unit
      unsafe output[index] = Sample(truncatingIfNeeded: (bounded + roundingBias).bitPattern)
    }
  }
}
