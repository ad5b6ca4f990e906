/// Stretches BT.601 samples from the limited range that WebP uses to the full one of JPEG: luma from
/// 16…235, chroma from 16…240 around 128.
struct RangeExpansion {
  private var row: [UInt8] = []

  /// Hands an expanded row of a plane on.
  mutating func deliver<Sink: RowSink & ~Copyable>(
    _ samples: Span<UInt8>, plane: Int, into sink: inout Sink
  ) throws(DecodeFailure) {
    if row.count != samples.count { row = [UInt8](repeating: 0, count: samples.count) }
    let (factor, offset) = plane == 0 ? Self.luma : Self.chroma
    var target = row.mutableSpan
    for index in samples.indices {
      // Fixed point, so that the compiler makes vectors of it.
      let value = (Int32(unsafe samples[unchecked: index]) &* factor &+ offset) >> 14
      unsafe target[unchecked: index] = UInt8(truncatingIfNeeded: max(0, min(255, value)))
    }
    try sink.consume(row.span, plane: plane)
  }

  /// 255 / 219 in 1/16384, and what takes 16 to 0 and rounds.
  private static let luma: (Int32, Int32) = (19_077, 8192 - 16 * 19_077)
  /// 255 / 224, and what leaves 128 in place.
  private static let chroma: (Int32, Int32) = (18_651, 8192 + 128 * 16_384 - 128 * 18_651)
}
