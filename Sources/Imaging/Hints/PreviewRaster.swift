package import Media

/// A picture in at most 100 × 100 pixels of straight RGBA: all that hints are made of.
package struct PreviewRaster: Sendable, Hashable {
  /// The longer side at most, in pixels: what ThumbHash takes.
  package static let longestSide = 100
  /// Samples taken for one pixel along one axis, at most: enough for an average nobody sees.
  private static let samplesPerAxis = 4

  package let size: PixelSize
  /// Four samples a pixel, row by row.
  package private(set) var samples: [UInt8] = []

  package init(size: PixelSize, samples: [UInt8]) {
    self.size = size
    self.samples = samples
  }

  /// Averages a gray, RGB or YCbCr picture; never enlarges.
  package init(_ picture: BoundedPicture<UInt8>) {
    let full = picture.size
    let longest = max(full.width, full.height, 1)
    let scale = min(1, Double(Self.longestSide) / Double(longest))
    size = PixelSize(
      width: max(1, Int((Double(full.width) * scale).rounded())),
      height: max(1, Int((Double(full.height) * scale).rounded())))
    samples.reserveCapacity(size.width * size.height * 4)
    for row in 0..<size.height {
      let rows = Self.positions(row, of: size.height, in: full.height)
      for column in 0..<size.width {
        let columns = Self.positions(column, of: size.width, in: full.width)
        append(Self.average(picture, rows: rows, columns: columns))
      }
    }
  }

  /// The input lines of output line `index`, evenly chosen.
  private static func positions(_ index: Int, of count: Int, in full: Int) -> StrideTo<Int> {
    let start = index * full / count
    let end = max(start + 1, (index + 1) * full / count)
    return stride(from: start, to: end, by: max(1, (end - start) / samplesPerAxis))
  }

  private mutating func append(_ pixel: [4 of Int]) {
    for component in 0..<4 { samples.append(UInt8(clamping: pixel[component])) }
  }

  private static func average(
    _ picture: BoundedPicture<UInt8>, rows: StrideTo<Int>, columns: StrideTo<Int>
  ) -> [4 of Int] {
    var (red, green, blue, alpha, count) = (0, 0, 0, 0, 0)
    for row in rows {
      for column in columns {
        let pixel = picture.pixel(column: column, row: row)
        red += pixel[0] * pixel[3]
        green += pixel[1] * pixel[3]
        blue += pixel[2] * pixel[3]
        alpha += pixel[3]
        count += 1
      }
    }
    guard alpha > 0 else { return [0, 0, 0, 0] }
    let half = alpha / 2
    return [
      (red + half) / alpha, (green + half) / alpha, (blue + half) / alpha,
      (alpha + count / 2) / count,
    ]
  }
}

extension BoundedPicture<UInt8> {
  /// Straight RGBA of one pixel, each 0…255.
  fileprivate func pixel(column: Int, row: Int) -> [4 of Int] {
    let plane = planes[0]
    let first = (row * plane.size.width + column) * plane.components
    let value = Int(plane.samples[first])
    switch model {
    case .yCbCr where planes.count == 3:
      return yCbCrPixel(luma: value, column: column, row: row)
    case .gray:
      return [value, value, value, hasAlpha ? Int(plane.samples[first + 1]) : 255]
    case .rgb, .yCbCr, .cmyk:
      return [
        value, Int(plane.samples[first + 1]), Int(plane.samples[first + 2]),
        hasAlpha ? Int(plane.samples[first + 3]) : 255,
      ]
    }
  }

  /// Full-range BT.601 in 16-bit fixed point.
  private func yCbCrPixel(luma: Int, column: Int, row: Int) -> [4 of Int] {
    let chroma = planes[1]
    let isHalf = chroma.size != planes[0].size
    let index =
      (isHalf ? row / 2 : row) * chroma.size.width + (isHalf ? column / 2 : column)
    let cb = Int(chroma.samples[index]) - 128
    let cr = Int(planes[2].samples[index]) - 128
    return [
      max(0, min(255, luma + (91_881 * cr + 32_768) >> 16)),
      max(0, min(255, luma - (22_554 * cb + 46_802 * cr + 32_768) >> 16)),
      max(0, min(255, luma + (116_130 * cb + 32_768) >> 16)), 255,
    ]
  }
}
