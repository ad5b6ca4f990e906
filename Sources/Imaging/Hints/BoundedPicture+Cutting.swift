internal import Media

extension BoundedPicture<UInt8> {
  /// The part of `cut` pixels that holds most of what matters.
  ///
  /// Its corner lies on an even pixel, so that halved chroma stays where it belongs.
  func cut(to cut: PixelSize, saliency: Saliency) -> BoundedPicture {
    let window = saliency.window(shape: cut, of: size)
    let column = Self.corner(window.x, of: size.width, cut: cut.width)
    let row = Self.corner(window.y, of: size.height, cut: cut.height)
    var picture = self
    for (index, plane) in planes.enumerated() {
      let halves = index > 0 && plane.size != size
      let part = halves ? PixelSize(width: (cut.width + 1) / 2, height: (cut.height + 1) / 2) : cut
      picture.planes[index] = plane.part(
        column: halves ? column / 2 : column, row: halves ? row / 2 : row, size: part)
    }
    return picture
  }

  private static func corner(_ share: Double, of length: Int, cut: Int) -> Int {
    let free = max(0, length - cut)
    return min(free, max(0, Int((share * Double(length)).rounded()))) & ~1
  }
}

extension PixelPlane {
  /// The pixels of `size` from a corner on, or as many as there are.
  fileprivate func part(column: Int, row: Int, size part: PixelSize) -> PixelPlane {
    let width = min(part.width, size.width - column)
    let height = min(part.height, size.height - row)
    var samples: [Sample] = []
    samples.reserveCapacity(width * height * components)
    for line in row..<row + height {
      let start = line * samplesPerRow + column * components
      samples.append(contentsOf: self.samples[start..<start + width * components])
    }
    return PixelPlane(
      size: PixelSize(width: width, height: height), components: components, samples: samples)
  }
}
