internal import Media

/// Full-range BT.601 (JFIF) to RGB.
enum YCbCrConversion {
  /// Makes interleaved RGB of three planes of equal size.
  static func rgb<Sample: PixelSample>(
    _ picture: BoundedPicture<Sample>
  ) -> BoundedPicture<Sample> {
    guard picture.model == .yCbCr, picture.planes.count == 3,
      Set(picture.planes.map(\.samples.count)).count == 1
    else { return picture }
    let count = picture.planes[0].samples.count
    let samples = unsafe [Sample](unsafeUninitializedCapacity: count * 3) { output, filled in
      unsafe convert(picture.planes, count: count, into: output)
      filled = count * 3
    }
    let plane = PixelPlane(size: picture.size, components: 3, samples: samples)
    return BoundedPicture(model: .rgb, hasAlpha: false, planes: [plane])
  }

  private static func convert<Sample: PixelSample>(
    _ planes: [PixelPlane<Sample>], count: Int, into output: UnsafeMutableBufferPointer<Sample>
  ) {
    unsafe planes[0].samples.withUnsafeBufferPointer { luma in
      unsafe planes[1].samples.withUnsafeBufferPointer { blue in
        unsafe planes[2].samples.withUnsafeBufferPointer { red in
          guard let luma = luma.baseAddress, let blue = blue.baseAddress,
            let red = red.baseAddress, let output = output.baseAddress
          else { return }
          unsafe Sample.convertYCbCr(luma, blue, red, count: count, into: output)
        }
      }
    }
  }

  /// - Safety: the planes have `count` samples, `output` three times as many.
  @unsafe @inline(__always) static func convert<Sample: PixelSample>(
    _ luma: UnsafePointer<Sample>, _ blue: UnsafePointer<Sample>, _ red: UnsafePointer<Sample>,
    count: Int, into output: UnsafeMutablePointer<Sample>
  ) {
    let centre = (Sample.unit + 1) / 2
    for index in 0..<count {
      let y = unsafe Float(luma[index])
      let cb = unsafe Float(blue[index]) - centre
      let cr = unsafe Float(red[index]) - centre
      unsafe output[index * 3] = SampleConversion.rounded(y + 1.402 * cr)
      unsafe output[index * 3 + 1] = SampleConversion.rounded(
        y - 0.344_136_286 * cb - 0.714_136_286 * cr)
      unsafe output[index * 3 + 2] = SampleConversion.rounded(y + 1.772 * cb)
    }
  }
}
