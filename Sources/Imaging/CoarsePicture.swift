internal import Media

/// A picture as the means of 32 × 32 parts, to tell whether two files show the same.
struct CoarsePicture: RowSink {
  private static let side = 32
  /// How far the mean of a part may be off, 0…255, and all in the mean: what the filters of cameras
  /// and the first scans of a file do. What was painted over is further off.
  private static let mostOff = 20.0
  private static let usuallyOff = 2.5

  private var planes: [RasterDescription.Plane] = []
  private var model = ColourModel.gray
  private var rows: [Int] = []
  /// The means of the parts, row by row, as far as the picture came.
  private var means: [[Double]] = []

  mutating func begin(_ raster: RasterDescription) throws(DecodeFailure) {
    guard raster.depth == .eight, raster.planes.allSatisfy({ $0.components == 1 }) else {
      throw .unsupported("comparing pictures of this kind")
    }
    planes = raster.planes
    model = raster.model
    rows = planes.map { _ in 0 }
    means = planes.map { _ in [Double](repeating: 0, count: Self.side * Self.side) }
  }

  mutating func consume(_ row: Span<UInt8>, plane: Int) throws(DecodeFailure) {
    var line = [Double](repeating: 0, count: Self.side)
    for column in row.indices {
      let sample = Double(row[column])
      Self.share(column, of: row.count) { line[$0] += sample * $1 }
    }
    Self.share(rows[plane], of: planes[plane].size.height) { part, weight in
      for column in 0..<Self.side {
        means[plane][part * Self.side + column] += line[column] * weight
      }
    }
    rows[plane] += 1
  }

  /// The parts along an axis that a sample lies in, each with the share of it that the sample has.
  private static func share(_ index: Int, of count: Int, _ body: (Int, Double) -> Void) {
    let start = Double(index * side) / Double(count)
    let end = Double((index + 1) * side) / Double(count)
    var part = index * side / count
    while part < side, Double(part) < end {
      body(part, min(end, Double(part + 1)) - max(start, Double(part)))
      part += 1
    }
  }

  mutating func consume(_ row: Span<UInt16>, plane: Int) throws(DecodeFailure) {}

  /// Whether another picture shows the same.
  func shows(_ other: CoarsePicture) -> Bool {
    guard model == other.model, planes.count == other.planes.count, !planes.isEmpty else {
      return false
    }
    return planes.indices.allSatisfy { plane in
      let off = zip(means[plane], other.means[plane]).map { abs($0 - $1) }
      return off.allSatisfy { $0 <= Self.mostOff }
        && off.reduce(0, +) <= Self.usuallyOff * Double(off.count)
    }
  }
}
