/// An unsigned sample: 8 or 16 bits. Its row loops are its own, so that each is compiled for it.
package protocol PixelSample: FixedWidthInteger, UnsignedInteger, Sendable {
  /// The largest sample as a Float.
  static var unit: Float { get }

  /// An array of black.
  static func zeros(_ count: Int) -> [Self]

  /// Widens a row.
  ///
  /// - Safety: `input` and `output` have `count` samples.
  @unsafe static func widen(
    _ input: UnsafePointer<Self>, count: Int, into output: UnsafeMutablePointer<Float>)

  /// Widens a row whose last component is alpha, and multiplies the others by it.
  ///
  /// - Safety: `input` and `output` have `count` samples.
  @unsafe static func widenPremultiplied(
    _ input: UnsafePointer<Self>, count: Int, components: Int,
    into output: UnsafeMutablePointer<Float>)

  /// Rounds `row` × `factor` to samples.
  ///
  /// - Safety: `row` and `output` have `count` samples.
  @unsafe static func narrow(
    _ row: UnsafePointer<Float>, factor: Float, count: Int,
    into output: UnsafeMutablePointer<Self>)

  /// Makes RGB pixels of full-range BT.601 samples.
  ///
  /// - Safety: the planes have `count` samples, `output` three times as many.
  @unsafe static func convertYCbCr(
    _ luma: UnsafePointer<Self>, _ blue: UnsafePointer<Self>, _ red: UnsafePointer<Self>,
    count: Int, into output: UnsafeMutablePointer<Self>)
}

extension UInt8: PixelSample {
  package static var unit: Float { 255 }

  package static func zeros(_ count: Int) -> [Self] { [Self](repeating: 0, count: count) }

  @unsafe package static func widen(
    _ input: UnsafePointer<Self>, count: Int, into output: UnsafeMutablePointer<Float>
  ) {
    unsafe SampleConversion.widen(input, count: count, into: output)
  }

  @unsafe package static func widenPremultiplied(
    _ input: UnsafePointer<Self>, count: Int, components: Int,
    into output: UnsafeMutablePointer<Float>
  ) {
    switch components {
    case 2:
      unsafe SampleConversion.widenPremultiplied(input, count: count, components: 2, into: output)
    default:
      unsafe SampleConversion.widenPremultiplied(input, count: count, components: 4, into: output)
    }
  }

  @unsafe package static func narrow(
    _ row: UnsafePointer<Float>, factor: Float, count: Int, into output: UnsafeMutablePointer<Self>
  ) {
    unsafe SampleConversion.narrow(row, factor: factor, count: count, into: output)
  }

  @unsafe package static func convertYCbCr(
    _ luma: UnsafePointer<Self>, _ blue: UnsafePointer<Self>, _ red: UnsafePointer<Self>,
    count: Int, into output: UnsafeMutablePointer<Self>
  ) {
    unsafe YCbCrConversion.convert(luma, blue, red, count: count, into: output)
  }
}

extension UInt16: PixelSample {
  package static var unit: Float { 65_535 }

  package static func zeros(_ count: Int) -> [Self] { [Self](repeating: 0, count: count) }

  @unsafe package static func widen(
    _ input: UnsafePointer<Self>, count: Int, into output: UnsafeMutablePointer<Float>
  ) {
    unsafe SampleConversion.widen(input, count: count, into: output)
  }

  @unsafe package static func widenPremultiplied(
    _ input: UnsafePointer<Self>, count: Int, components: Int,
    into output: UnsafeMutablePointer<Float>
  ) {
    switch components {
    case 2:
      unsafe SampleConversion.widenPremultiplied(input, count: count, components: 2, into: output)
    default:
      unsafe SampleConversion.widenPremultiplied(input, count: count, components: 4, into: output)
    }
  }

  @unsafe package static func narrow(
    _ row: UnsafePointer<Float>, factor: Float, count: Int, into output: UnsafeMutablePointer<Self>
  ) {
    unsafe SampleConversion.narrow(row, factor: factor, count: count, into: output)
  }

  @unsafe package static func convertYCbCr(
    _ luma: UnsafePointer<Self>, _ blue: UnsafePointer<Self>, _ red: UnsafePointer<Self>,
    count: Int, into output: UnsafeMutablePointer<Self>
  ) {
    unsafe YCbCrConversion.convert(luma, blue, red, count: count, into: output)
  }
}
