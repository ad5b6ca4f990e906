/// Where the samples of a component begin and how far they reach (ITU-T H.273, 8.3).
struct SampleRange {
  /// The sample that stands for 0.
  let zero: Float
  /// From 0 to 1, in samples.
  let span: Float

  static func luma(bitDepth: Int, isFullRange: Bool) -> SampleRange {
    isFullRange
      ? SampleRange(zero: 0, span: Float(1 << bitDepth) - 1)
      : SampleRange(zero: Float(16 << (bitDepth - 8)), span: Float(219 << (bitDepth - 8)))
  }

  /// Colour differences lie about half of the scale and reach from −0.5 to 0.5.
  static func chroma(bitDepth: Int, isFullRange: Bool) -> SampleRange {
    SampleRange(
      zero: Float(1 << (bitDepth - 1)),
      span: isFullRange ? Float(1 << bitDepth) - 1 : Float(224 << (bitDepth - 8)))
  }

  /// For each sample of `bitDepth` bits its value on a full scale up to `maximum`, where `centre`
  /// stands for 0.
  func table<Sample: FixedWidthInteger & UnsignedInteger>(
    bitDepth: Int, centre: Float, maximum: Sample
  ) -> [Sample] {
    (0..<(1 << bitDepth)).map { sample in
      let value = (Float(sample) - zero) / span * Float(maximum) + centre
      return Sample(min(max(value, 0), Float(maximum)).rounded())
    }
  }
}
