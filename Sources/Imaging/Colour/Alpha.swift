internal import Media

extension BoundedPicture<UInt8> {
  /// Whether every pixel hides what lies behind it.
  var isOpaque: Bool {
    guard hasAlpha, let plane = planes.first else { return true }
    return stride(from: plane.components - 1, to: plane.samples.count, by: plane.components)
      .allSatisfy { plane.samples[$0] == 255 }
  }

  /// The picture without its alpha, whose pixels are all opaque.
  func droppingAlpha() -> BoundedPicture {
    guard hasAlpha, let plane = planes.first else { return self }
    let colours = plane.components - 1
    var samples: [UInt8] = []
    samples.reserveCapacity(plane.size.width * plane.size.height * colours)
    for pixel in stride(from: 0, to: plane.samples.count, by: plane.components) {
      samples.append(contentsOf: plane.samples[pixel..<pixel + colours])
    }
    return withPlane(PixelPlane(size: size, components: colours, samples: samples))
  }

  /// The picture laid on `colour`, mixed in sRGB as screens do.
  func flattened(on colour: RGBColour) -> BoundedPicture {
    guard hasAlpha, let plane = planes.first else { return self }
    let isGray = model == .gray
    let ground = [colour.red, colour.green, colour.blue].map { Int($0) }
    var samples: [UInt8] = []
    samples.reserveCapacity(plane.size.width * plane.size.height * 3)
    for pixel in stride(from: 0, to: plane.samples.count, by: plane.components) {
      let alpha = Int(plane.samples[pixel + plane.components - 1])
      for component in 0..<3 {
        let top = Int(plane.samples[pixel + (isGray ? 0 : component)])
        samples.append(UInt8((top * alpha + ground[component] * (255 - alpha) + 127) / 255))
      }
    }
    var flat = withPlane(PixelPlane(size: size, components: 3, samples: samples))
    flat.model = .rgb
    return flat
  }

  private func withPlane(_ plane: PixelPlane<UInt8>) -> BoundedPicture {
    BoundedPicture(model: model, hasAlpha: false, planes: [plane])
  }
}
