internal import Media

/// A small picture as sums over areas: the mean colour of any part of it is had at once.
package struct CoarsePicture: RowSink, Sendable {
  /// Larger pictures are taken together to so many samples a side.
  private static let longestSide = 256

  private var means: PartMeans?
  private var raster: RasterDescription?
  private var columns = 0
  private var rows = 0
  /// For each corner of the samples the sum of all above and to the left of it, row by row.
  private var sums: [SIMD3<Double>] = []

  package init() {}

  package mutating func begin(_ raster: RasterDescription) throws(DecodeFailure) {
    guard !raster.hasAlpha, raster.model != .cmyk else {
      throw .unsupported("comparing pictures of this kind")
    }
    self.raster = raster
    columns = min(raster.size.width, Self.longestSide)
    rows = min(raster.size.height, Self.longestSide)
    means = try PartMeans(raster, columns: columns, rows: rows)
    sums = [SIMD3<Double>](repeating: .zero, count: columns + 1)
  }

  package mutating func consume(_ row: Span<UInt8>, plane: Int) throws(DecodeFailure) {
    means?.add(row, plane: plane)
    addBands()
  }

  package mutating func consume(_ row: Span<UInt16>, plane: Int) throws(DecodeFailure) {
    means?.add(row, plane: plane)
    addBands()
  }

  private mutating func addBands() {
    while let band = means?.takeBand(), let raster {
      var left = SIMD3<Double>.zero
      let above = sums.count - columns - 1
      sums.append(.zero)
      for (column, means) in band.enumerated() {
        guard let colour = PartColour(means, of: raster) else { continue }
        left += colour.components
        sums.append(sums[above + column + 1] + left)
      }
    }
  }

  /// Whether all of it has come.
  var isWhole: Bool { rows > 0 && sums.count == (columns + 1) * (rows + 1) }

  /// The mean colour of a part; the picture must be whole.
  func mean(of part: UnitRectangle) -> PartColour {
    let (left, right) = (part.x * Double(columns), (part.x + part.width) * Double(columns))
    let (top, bottom) = (part.y * Double(rows), (part.y + part.height) * Double(rows))
    let sum = sum(right, bottom) - sum(left, bottom) - sum(right, top) + sum(left, top)
    let mean = sum / max((right - left) * (bottom - top), .leastNonzeroMagnitude)
    return PartColour(luma: mean[0], blue: mean[1], red: mean[2])
  }

  /// The sum above and to the left of a place between samples.
  private func sum(_ x: Double, _ y: Double) -> SIMD3<Double> {
    let (column, row) = (
      min(max(Int(x), 0), columns - 1), min(max(Int(y), 0), rows - 1)
    )
    let (right, lower) = (x - Double(column), y - Double(row))
    let index = row * (columns + 1) + column
    let upper = sums[index] * (1 - right) + sums[index + 1] * right
    let below = index + columns + 1
    return upper * (1 - lower) + (sums[below] * (1 - right) + sums[below + 1] * right) * lower
  }
}
