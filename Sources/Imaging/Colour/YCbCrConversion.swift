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
      unsafe picture.planes[0].samples.withUnsafeBufferPointer { luma in
        unsafe picture.planes[1].samples.withUnsafeBufferPointer { blue in
          unsafe picture.planes[2].samples.withUnsafeBufferPointer { red in
            for index in 0..<count {
              unsafe convert(
                luma[index], blue[index], red[index], into: output, at: index * 3)
            }
          }
        }
      }
      filled = count * 3
    }
    let plane = PixelPlane(size: picture.size, components: 3, samples: samples)
    return BoundedPicture(model: .rgb, hasAlpha: false, planes: [plane])
  }

  @inline(__always)
  private static func convert<Sample: PixelSample>(
    _ luma: Sample, _ blue: Sample, _ red: Sample, into output: UnsafeMutableBufferPointer<Sample>,
    at offset: Int
  ) {
    let centre = (Sample.unit + 1) / 2
    let (y, cb, cr) = (Float(luma), Float(blue) - centre, Float(red) - centre)
    unsafe output[offset] = rounded(y + 1.402 * cr)
    unsafe output[offset + 1] = rounded(y - 0.344_136_286 * cb - 0.714_136_286 * cr)
    unsafe output[offset + 2] = rounded(y + 1.772 * cb)
  }

  @inline(__always)
  private static func rounded<Sample: PixelSample>(_ value: Float) -> Sample {
    let floor = value > 0 ? value : 0
    let bounded = floor < Sample.unit ? floor : Sample.unit
    return Sample(truncatingIfNeeded: (bounded + 8_388_608).bitPattern)
  }
}
