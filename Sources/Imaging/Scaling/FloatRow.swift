/// Sixteen samples: a cache line, and four registers of the smallest x86-64 machine.
typealias SampleVector = SIMD16<Float>

/// Room for one row or several of Float samples, in whole vectors.
///
/// Samples behind a row's own are finite: windows read them with weight zero.
struct FloatRows: Sendable {
  let vectorsPerRow: Int
  private var storage: [SampleVector]

  /// `rows` rows of `samples` samples, and `margin` more that may be read behind them.
  init(rows: Int, samples: Int, margin: Int) {
    vectorsPerRow = (samples + margin + 15) / 16
    storage = [SampleVector](repeating: .zero, count: rows * vectorsPerRow)
  }

  var floatsPerRow: Int { vectorsPerRow * 16 }

  /// Lends the whole storage.
  ///
  /// - Safety: the pointer is good only within `body`, for rows × `vectorsPerRow` vectors.
  @unsafe mutating func withVectors<Result>(
    _ body: (UnsafeMutablePointer<SampleVector>) -> Result
  ) -> Result? {
    unsafe storage.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return nil }
      return unsafe body(base)
    }
  }

  /// Lends row `row` as floats.
  ///
  /// - Safety: the pointer is good only within `body`, for `floatsPerRow` samples.
  @unsafe mutating func withRow<Result>(
    _ row: Int, _ body: (UnsafeMutablePointer<Float>) -> Result
  ) -> Result? {
    precondition(row >= 0 && (row + 1) * vectorsPerRow <= storage.count)
    let offset = row * vectorsPerRow
    let count = floatsPerRow
    return unsafe withVectors { base in
      unsafe (base + offset).withMemoryRebound(to: Float.self, capacity: count) {
        unsafe body($0)
      }
    }
  }
}
