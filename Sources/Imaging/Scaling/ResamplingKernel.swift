internal import Glibc

/// The weights that make each output sample of one axis out of a window of input samples.
///
/// Lanczos-3, its support widened by the ratio when the axis shrinks; a triangle when it grows, which
/// only chroma does: decoders agree on it (libjpeg's and libwebp's fancy upsampling). Half-pixel
/// centres. Windows are cut at the picture's edges and their weights add up to one again.
struct ResamplingKernel: Sendable, Hashable {
  /// Number of input samples along the axis.
  let inputCount: Int
  /// The first input sample of each output's window.
  private(set) var starts: [Int] = []
  /// The number of input samples in each output's window, at least 1.
  private(set) var counts: [Int] = []
  /// The weights of all windows, `stride` apart, zeros behind each window's own.
  private(set) var weights: [Float] = []
  /// The longest window, rounded up to whole groups of four.
  let stride: Int

  var outputCount: Int { starts.count }

  /// Maps output sample i's centre to input position `origin + (i + 0.5) × step`.
  init(inputCount: Int, origin: Double, step: Double, outputCount: Int) {
    self.inputCount = inputCount
    let windows = (0..<outputCount).map { index in
      Self.window(centre: origin + (Double(index) + 0.5) * step, step: step, within: inputCount)
    }
    let longest = windows.map(\.weights.count).max() ?? 1
    stride = (longest + 3) / 4 * 4
    weights = [Float](repeating: 0, count: outputCount * stride)
    for (index, window) in windows.enumerated() {
      starts.append(window.start)
      counts.append(window.weights.count)
      for (tap, weight) in window.weights.enumerated() {
        weights[index * stride + tap] = Float(weight)
      }
    }
  }

  private static func window(
    centre: Double, step: Double, within count: Int
  ) -> (start: Int, weights: [Double]) {
    let scale = max(step, 1)
    let filter = step < 1 ? triangle : lanczos3
    let first = max(0, min(count - 1, Int((centre - 3 * scale).rounded())))
    let end = max(first + 1, min(count, Int((centre + 3 * scale).rounded())))
    var weights = (first..<end).map { filter((Double($0) - centre + 0.5) / scale) }
    var start = first
    // Whole-number phases leave zeros at both ends, an unscaled axis all but one.
    while weights.count > 1, let last = weights.last, abs(last) < 1e-9 { weights.removeLast() }
    let leading = weights.prefix { abs($0) < 1e-9 }.count
    if leading < weights.count {
      weights.removeFirst(leading)
      start += leading
    }
    let sum = weights.reduce(0, +)
    guard abs(sum) > 1e-9 else { return (max(0, min(count - 1, Int(centre))), [1]) }
    return (start, weights.map { $0 / sum })
  }

  private static func triangle(_ x: Double) -> Double { max(0, 1 - abs(x)) }

  private static func lanczos3(_ x: Double) -> Double {
    guard abs(x) < 3 else { return 0 }
    guard x != 0 else { return 1 }
    let angle = x * Double.pi
    return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
  }
}

extension ResamplingKernel {
  /// The most outputs whose windows are open at one time while the input passes by.
  var mostOpenOutputs: Int {
    var most = 1
    var next = 0
    for output in 0..<outputCount {
      let end = starts[output] + counts[output]
      while next < outputCount, starts[next] < end { next += 1 }
      most = max(most, next - output)
    }
    return most
  }
}
