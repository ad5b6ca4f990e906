package import Media

/// How much each part of a picture matters, and which window of a wanted shape holds most of it.
///
/// A pixel counts by its edges (the gradient of luminance), by likeness to skin, and by saturation.
/// A window counts pixels near its middle more than those at its rim. A window near the picture's
/// centre, or a little above it in a tall picture (where heads are), wins over one that is as good.
package struct Saliency: Sendable {
  private enum Weight {
    static let edge = 1.0
    static let skin = 1.2
    static let saturation = 0.3
    /// What a pixel at a window's rim counts beside one in its middle.
    static let rim = 0.6
    /// What a window at the picture's end counts beside one at the prior.
    static let end = 0.8
    /// What every pixel counts, so that the prior decides where nothing stands out.
    static let ground = 0.02
  }

  private let size: PixelSize
  /// Sums over each column, and over each row.
  private var columns: [Double]
  private var rows: [Double]

  package init(_ raster: PreviewRaster) {
    size = raster.size
    columns = [Double](repeating: 0, count: size.width)
    rows = [Double](repeating: 0, count: size.height)
    let edges = Self.edges(raster)
    for row in 0..<size.height {
      for column in 0..<size.width {
        let score = Self.score(raster, edges, column: column, row: row)
        columns[column] += score
        rows[row] += score
      }
    }
  }

  /// The best part that has the shape of `shape` in a picture of `full` pixels.
  package func window(shape: PixelSize, of full: PixelSize) -> UnitRectangle {
    var part = UnitRectangle.centred(of: full, shape: shape)
    if part.width < 1 { part.x = Self.start(of: part.width, in: columns, prior: 0.5) }
    if part.height < 1 { part.y = Self.start(of: part.height, in: rows, prior: 0.4) }
    return part
  }

  private static func luma(_ raster: PreviewRaster) -> [Double] {
    stride(from: 0, to: raster.samples.count, by: 4).map { pixel in
      let alpha = Double(raster.samples[pixel + 3]) / 255
      let colour = (0..<3).map { Double(raster.samples[pixel + $0]) / 255 }
      return alpha * (0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2])
    }
  }

  private static func score(
    _ raster: PreviewRaster, _ edges: [Double], column: Int, row: Int
  ) -> Double {
    let index = row * raster.size.width + column
    let colour = (0..<3).map { Double(raster.samples[index * 4 + $0]) / 255 }
    let alpha = Double(raster.samples[index * 4 + 3]) / 255
    let edge = edges[index]
    let saturation = (colour.max() ?? 0) - (colour.min() ?? 0)
    let detail = detail(edges, raster.size, column: column, row: row)
    return Weight.ground + alpha
      * (Weight.edge * edge + Weight.skin * skin(colour) * detail
        + Weight.saturation * saturation * edge)
  }

  /// The gradient of luminance at each pixel, 0…1.
  private static func edges(_ raster: PreviewRaster) -> [Double] {
    let (width, height) = (raster.size.width, raster.size.height)
    let luma = luma(raster)
    func light(_ x: Int, _ y: Int) -> Double {
      luma[max(0, min(height - 1, y)) * width + max(0, min(width - 1, x))]
    }
    return (0..<width * height).map { index in
      let (column, row) = (index % width, index / width)
      let across = light(column + 1, row) - light(column - 1, row)
      let down = light(column, row + 1) - light(column, row - 1)
      return min(1, (across * across + down * down).squareRoot())
    }
  }

  /// 0…1: whether anything is drawn nearby. Walls and skies may have the hue of skin; faces have
  /// features.
  private static func detail(
    _ edges: [Double], _ size: PixelSize, column: Int, row: Int
  ) -> Double {
    var (sum, count) = (0.0, 0.0)
    for y in max(0, row - 2)...min(size.height - 1, row + 2) {
      for x in max(0, column - 2)...min(size.width - 1, column + 2) {
        sum += edges[y * size.width + x]
        count += 1
      }
    }
    return min(1, sum / count / 0.06)
  }

  /// 0…1: nearness to the hues of human skin, which differ in lightness more than in direction.
  private static func skin(_ colour: [Double]) -> Double {
    let length = (colour[0] * colour[0] + colour[1] * colour[1] + colour[2] * colour[2])
      .squareRoot()
    guard length > 0.3, length < 1.65 else { return 0 }
    let typical = [0.735, 0.538, 0.412]
    let offsets = (0..<3).map { colour[$0] / length - typical[$0] }
    let distance = (offsets.reduce(0) { $0 + $1 * $1 }).squareRoot()
    return max(0, 1 - distance / 0.2)
  }

  /// Where the best window of `length` (a share of the axis) begins, as a share.
  private static func start(of length: Double, in scores: [Double], prior: Double) -> Double {
    let count = scores.count
    let free = 1 - length
    guard count > 1, free > 0 else { return 0 }
    let steps = max(1, Int((free * Double(count)).rounded()))
    var best = (start: free * prior, value: -Double.infinity)
    // From the prior outwards, so that the nearer of two equals wins.
    let candidates = (0...steps).map { free * Double($0) / Double(steps) }
      .sorted { abs($0 - free * prior) < abs($1 - free * prior) }
    for start in [free * prior] + candidates {
      let distance = abs(start - free * prior) / free
      let value =
        held(by: start..<start + length, of: scores) * (1 - (1 - Weight.end) * distance)
      if value > best.value * 1.001 || best.value == -.infinity { best = (start, value) }
    }
    return best.start
  }

  private static func held(by window: Range<Double>, of scores: [Double]) -> Double {
    let count = Double(scores.count)
    let length = window.upperBound - window.lowerBound
    var sum = 0.0
    for (index, score) in scores.enumerated() {
      let place = ((Double(index) + 0.5) / count - window.lowerBound) / length
      guard place >= 0, place <= 1 else { continue }
      let offset = 2 * place - 1
      sum += score * (1 - (1 - Weight.rim) * offset * offset)
    }
    return sum
  }
}
