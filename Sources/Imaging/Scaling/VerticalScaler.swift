/// Weighs rows into output rows as they arrive.
///
/// Holds a small batch of input rows and the sums of the outputs that are open, so that its memory
/// grows with the width alone, whatever the ratio. A batch serves every open output while it is in
/// the cache.
struct VerticalScaler: Sendable {
  private static let batchRows = 8

  private let kernel: ResamplingKernel
  private let slots: Int
  private var batch: FloatRows
  private var sums: FloatRows
  private var firstRow = 0
  private var rowsInBatch = 0
  private(set) var nextOutput = 0

  init(kernel: ResamplingKernel, samples: Int, margin: Int) {
    self.kernel = kernel
    slots = kernel.mostOpenOutputs
    batch = FloatRows(
      rows: min(Self.batchRows, kernel.inputCount), samples: samples, margin: margin)
    sums = FloatRows(rows: slots, samples: samples, margin: margin)
  }

  var rowsReceived: Int { firstRow + rowsInBatch }
  var outputCount: Int { kernel.outputCount }

  /// Takes one row, written by `fill`, and gives the outputs that it completes to `emit`.
  ///
  /// - Safety: both closures get a row of `samples` floats and the margin, good only within them.
  @unsafe mutating func append(
    _ fill: (UnsafeMutablePointer<Float>) -> Void, emit: (UnsafeMutablePointer<Float>) -> Void
  ) {
    guard rowsReceived < kernel.inputCount else { return }
    unsafe batch.withRow(rowsInBatch, fill)
    rowsInBatch += 1
    if rowsInBatch == Self.batchRows || rowsReceived == kernel.inputCount {
      unsafe accumulateBatch(emit)
    }
  }

  /// Completes the first `count` outputs with the rows that came, after the last one.
  ///
  /// - Safety: as for `append`.
  @unsafe mutating func finish(outputs count: Int, emit: (UnsafeMutablePointer<Float>) -> Void) {
    unsafe accumulateBatch(emit)
    let received = rowsReceived
    while nextOutput < count {
      let weights =
        (kernel.starts[nextOutput]..<kernel.starts[nextOutput] + kernel.counts[nextOutput])
        .prefix { $0 < received }.map { kernel.weights[weightIndex(nextOutput, row: $0)] }
      let sum = weights.reduce(0, +)
      let factor = abs(sum) > 0.01 ? 1 / sum : 0
      let vectors = sums.vectorsPerRow
      let slot = nextOutput % slots
      unsafe sums.withVectors { base in
        for index in 0..<vectors { unsafe base[slot * vectors + index] *= factor }
      }
      unsafe sums.withRow(slot, emit)
      clear(slot)
      nextOutput += 1
    }
  }

  private func weightIndex(_ output: Int, row: Int) -> Int {
    output * kernel.stride + row - kernel.starts[output]
  }

  private mutating func accumulateBatch(_ emit: (UnsafeMutablePointer<Float>) -> Void) {
    let end = rowsReceived
    var output = nextOutput
    while output < kernel.outputCount, kernel.starts[output] < end {
      accumulate(output, upTo: end)
      if kernel.starts[output] + kernel.counts[output] <= end {
        unsafe sums.withRow(output % slots, emit)
        clear(output % slots)
        nextOutput += 1
      }
      output += 1
    }
    firstRow = end
    rowsInBatch = 0
  }

  private mutating func accumulate(_ output: Int, upTo end: Int) {
    let first = max(kernel.starts[output], firstRow)
    let last = min(kernel.starts[output] + kernel.counts[output], end)
    guard first < last else { return }
    let vectors = sums.vectorsPerRow
    let slot = output % slots
    let offset = (first - firstRow) * vectors
    let weightOffset = weightIndex(output, row: first)
    unsafe kernel.weights.withUnsafeBufferPointer { weights in
      guard let weights = weights.baseAddress else { return }
      unsafe batch.withVectors { rows in
        unsafe sums.withVectors { sums in
          unsafe addWeightedRows(
            rows + offset, count: last - first, weights: weights + weightOffset,
            to: sums + slot * vectors, vectors: vectors)
        }
      }
    }
  }

  private mutating func clear(_ slot: Int) {
    let vectors = sums.vectorsPerRow
    unsafe sums.withVectors { base in
      unsafe (base + slot * vectors).update(repeating: .zero, count: vectors)
    }
  }
}

/// sums[i] += Σ weights[k] × rows[k][i], over whole vectors.
private func addWeightedRows(
  _ rows: UnsafePointer<SampleVector>, count: Int, weights: UnsafePointer<Float>,
  to sums: UnsafeMutablePointer<SampleVector>, vectors: Int
) {
  for index in 0..<vectors {
    var sum = unsafe sums[index]
    var row = unsafe rows + index
    for tap in 0..<count {
      unsafe sum += row.pointee * weights[tap]
      unsafe row += vectors
    }
    unsafe sums[index] = sum
  }
}
