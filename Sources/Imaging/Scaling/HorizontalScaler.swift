/// Weighs the samples within a row into a narrower row.
struct HorizontalScaler: Sendable {
  private let kernel: ResamplingKernel
  private let components: Int

  init(kernel: ResamplingKernel, components: Int) {
    self.kernel = kernel
    self.components = components
  }

  /// Samples behind an input row that windows read (with weight zero).
  var margin: Int { kernel.stride * components + 4 }

  /// Samples behind an output row that are written over.
  static let outputMargin = 4

  /// Scales one row of interleaved samples.
  ///
  /// - Safety: `input` has the row's samples and `margin` finite ones, `output` room for its samples
  ///   and `outputMargin`.
  @unsafe func scale(_ input: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>) {
    unsafe kernel.weights.withUnsafeBufferPointer { weights in
      unsafe kernel.starts.withUnsafeBufferPointer { starts in
        guard let weights = weights.baseAddress, let starts = starts.baseAddress else { return }
        let windows = unsafe Windows(
          starts: starts, weights: weights, stride: kernel.stride, count: kernel.outputCount)
        switch components {
        case 1: unsafe scalePlane(input, into: output, windows)
        case 2: unsafe scalePairs(input, into: output, windows)
        default: unsafe scalePixels(input, into: output, windows, components: components)
        }
      }
    }
  }
}

/// A kernel's windows as the inner loops read them.
@unsafe private struct Windows {
  let starts: UnsafePointer<Int>
  let weights: UnsafePointer<Float>
  let stride: Int
  let count: Int
}

/// One component: four neighbouring samples are weighed at a time.
private func scalePlane(
  _ input: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, _ windows: Windows
) {
  let stride = unsafe windows.stride
  for index in unsafe 0..<windows.count {
    let samples = unsafe UnsafeRawPointer(input + windows.starts[index])
    let weights = unsafe UnsafeRawPointer(windows.weights + index * stride)
    var sum = SIMD4<Float>.zero
    var offset = 0
    while offset < stride * 4 {
      unsafe sum +=
        samples.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
        * weights.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
      offset += 16
    }
    let halves = sum.lowHalf + sum.highHalf
    unsafe output[index] = halves.x + halves.y
  }
}

/// Three or four components: one whole pixel is weighed at a time; of three, the fourth lane is the
/// next pixel's and is written over.
private func scalePixels(
  _ input: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, _ windows: Windows,
  components: Int
) {
  let stride = unsafe windows.stride
  for index in unsafe 0..<windows.count {
    var samples = unsafe UnsafeRawPointer(input + windows.starts[index] * components)
    let weights = unsafe windows.weights + index * stride
    var sum = SIMD4<Float>.zero
    for tap in 0..<stride {
      let pixel = unsafe samples.loadUnaligned(as: SIMD4<Float>.self)
      unsafe sum += pixel * weights[tap]
      unsafe samples += components * 4
    }
    unsafe UnsafeMutableRawPointer(output + index * components)
      .storeBytes(of: sum, as: SIMD4<Float>.self)
  }
}

/// Two components: a pixel is half a register.
private func scalePairs(
  _ input: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, _ windows: Windows
) {
  let stride = unsafe windows.stride
  for index in unsafe 0..<windows.count {
    let samples = unsafe UnsafeRawPointer(input + windows.starts[index] * 2)
    let weights = unsafe windows.weights + index * stride
    var sum = SIMD2<Float>.zero
    for tap in 0..<stride {
      let pixel = unsafe samples.loadUnaligned(fromByteOffset: tap * 8, as: SIMD2<Float>.self)
      unsafe sum += pixel * weights[tap]
    }
    unsafe UnsafeMutableRawPointer(output + index * 2).storeBytes(of: sum, as: SIMD2<Float>.self)
  }
}
