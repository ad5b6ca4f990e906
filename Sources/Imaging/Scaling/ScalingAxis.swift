/// One axis of a plan: stored pixels, delivered samples, output samples.
struct ScalingAxis: Sendable, Hashable {
  /// Delivered samples of plane 0.
  let delivered: Int
  /// Where the shown part begins, in delivered samples.
  let origin: Double
  /// Delivered samples for one output sample.
  let step: Double
  let outputCount: Int

  init(stored: Int, delivered: Int, start: Double, length: Double, outputCount: Int) {
    let content = Self.contentLength(stored: stored, delivered: delivered)
    self.delivered = delivered
    origin = start * content
    step = length * content / Double(outputCount)
    self.outputCount = outputCount
  }

  /// The picture's length in delivered samples: the last one is partly padding where a decoder
  /// scaled by eighths and rounded up (libjpeg).
  private static func contentLength(stored: Int, delivered: Int) -> Double {
    for eighths in [8, 4, 2, 1, 3, 5, 6, 7] where (stored * eighths + 7) / 8 == delivered {
      return Double(stored * eighths) / 8
    }
    return Double(delivered)
  }

  var kernel: ResamplingKernel {
    ResamplingKernel(
      inputCount: delivered, origin: origin, step: step, outputCount: outputCount)
  }

  /// The kernel of a chroma plane with `count` samples, centred between the luma samples it covers.
  ///
  /// Output chroma of half the size covers output samples in pairs; `mirrored` says that the pairs
  /// are counted from the far end, since the output will be turned over.
  func chromaKernel(count: Int, halved: Bool, mirrored: Bool) -> ResamplingKernel {
    let factor = Double(Self.lumaSamples(delivered, per: count))
    let outputs = halved ? (outputCount + 1) / 2 : outputCount
    let unpaired = halved && mirrored && outputCount % 2 == 1
    return ResamplingKernel(
      inputCount: count, origin: (origin - (unpaired ? step : 0)) / factor,
      step: (halved ? 2 : 1) * step / factor, outputCount: outputs)
  }

  /// How many luma samples one chroma sample covers.
  private static func lumaSamples(_ luma: Int, per chroma: Int) -> Int {
    for factor in [1, 2, 4, 3] where (luma + factor - 1) / factor == chroma { return factor }
    return max(1, Int((Double(luma) / Double(max(1, chroma))).rounded()))
  }
}
