internal import Media

/// CMYK that no profile describes.
enum DeviceCMYK {
  /// red = (1 − cyan)(1 − black), and so on: the naive conversion of CSS Color 4, §7, which
  /// browsers use. Press profiles differ too much for a guess to be better.
  static func rgb(_ picture: BoundedPicture<UInt8>) -> BoundedPicture<UInt8> {
    guard picture.model == .cmyk, let plane = picture.planes.first else { return picture }
    let pixels = plane.samples.count / 4
    let samples = unsafe [UInt8](unsafeUninitializedCapacity: pixels * 3) { output, filled in
      unsafe plane.samples.withUnsafeBufferPointer { input in
        for pixel in 0..<pixels {
          let white = unsafe 255 - UInt32(input[pixel * 4 + 3])
          for ink in 0..<3 {
            let paper = unsafe 255 - UInt32(input[pixel * 4 + ink])
            unsafe output[pixel * 3 + ink] = UInt8(
              truncatingIfNeeded: (paper * white + 127) / 255)
          }
        }
      }
      filled = pixels * 3
    }
    return BoundedPicture(
      model: .rgb, hasAlpha: false,
      planes: [PixelPlane(size: plane.size, components: 3, samples: samples)])
  }
}
