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
    let reader = PixelReader(picture)
    let columns = (0..<size.width).map { Self.shares($0, of: size.width, in: full.width) }
    for row in 0..<size.height {
      let rows = Self.shares(row, of: size.height, in: full.height)
      for column in 0..<size.width {
        append(Self.average(reader, rows: rows, columns: columns[column]))
      }
    }
  }

  /// A line of the input, and how much of it belongs to a line of the output.
  private struct Share {
    let line: Int
    let weight: Int
  }

  /// The input lines of output line `index`: all by how much they overlap it where they are few, else
  /// some, evenly chosen.
  private static func shares(_ index: Int, of count: Int, in full: Int) -> [Share] {
    guard full > samplesPerAxis * count else {
      let (start, end) = (index * full, (index + 1) * full)
      return (start / count...(end - 1) / count).map { line in
        Share(line: line, weight: min(end, (line + 1) * count) - max(start, line * count))
      }
    }
    let (start, end) = (index * full / count, (index + 1) * full / count)
    return stride(from: start, to: end, by: max(1, (end - start) / samplesPerAxis)).map {
      Share(line: $0, weight: 1)
    }
  }

  private mutating func append(_ pixel: [4 of Int]) {
    for component in 0..<4 { samples.append(UInt8(clamping: pixel[component])) }
  }

  private static func average(
    _ picture: borrowing PixelReader, rows: [Share], columns: [Share]
  ) -> [4 of Int] {
    var (red, green, blue, alpha, count) = (0, 0, 0, 0, 0)
    for row in rows {
      for column in columns {
        let pixel = picture.pixel(column: column.line, row: row.line)
        let weight = column.weight * row.weight
        let opacity = pixel[3] * weight
        red += pixel[0] * opacity
        green += pixel[1] * opacity
        blue += pixel[2] * opacity
        alpha += opacity
        count += weight
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

/// A picture's planes at hand: looking each up again for every pixel would cost more than the pixel.
private struct PixelReader {
  private enum Form {
    case gray, colours, yCbCr
  }

  private let form: Form
  private let hasAlpha: Bool
  private let components: Int
  private let width: Int
  private let samples: [UInt8]
  private let blue: [UInt8]
  private let red: [UInt8]
  private let chromaWidth: Int
  /// 1 where chroma has half the picture's size.
  private let chromaShift: Int

  init(_ picture: BoundedPicture<UInt8>) {
    let (first, planes) = (picture.planes[0], picture.planes)
    (components, width, samples) = (first.components, first.size.width, first.samples)
    hasAlpha = picture.hasAlpha
    form = planes.count == 3 ? .yCbCr : picture.model == .gray ? .gray : .colours
    blue = planes.count == 3 ? planes[1].samples : []
    red = planes.count == 3 ? planes[2].samples : []
    chromaWidth = planes.count == 3 ? planes[1].size.width : 0
    chromaShift = planes.count == 3 && planes[1].size != first.size ? 1 : 0
  }

  /// Straight RGBA of one pixel, each 0…255.
  func pixel(column: Int, row: Int) -> [4 of Int] {
    let first = (row * width + column) * components
    let value = Int(samples[first])
    switch form {
    case .yCbCr:
      return pixel(
        luma: value, chroma: (row >> chromaShift) * chromaWidth + (column >> chromaShift))
    case .gray: return [value, value, value, hasAlpha ? Int(samples[first + 1]) : 255]
    case .colours:
      return [
        value, Int(samples[first + 1]), Int(samples[first + 2]),
        hasAlpha ? Int(samples[first + 3]) : 255,
      ]
    }
  }

  /// Full-range BT.601 in 16-bit fixed point.
  private func pixel(luma: Int, chroma index: Int) -> [4 of Int] {
    let (cb, cr) = (Int(blue[index]) - 128, Int(red[index]) - 128)
    return [
      max(0, min(255, luma + (91_881 * cr + 32_768) >> 16)),
      max(0, min(255, luma - (22_554 * cb + 46_802 * cr + 32_768) >> 16)),
      max(0, min(255, luma + (116_130 * cb + 32_768) >> 16)), 255,
    ]
  }
}
