internal import Media

/// Compares a picture whose rows come from the top down, as far as there is time.
struct ComparedRows: RowSink {
  /// Rows between looks at the clock.
  private static let rowsPerLook = 16
  /// Some samples for each part: of fewer its neighbours have too much in it.
  static let needed = PixelSize(
    width: 4 * PictureComparison.partsPerSide, height: 4 * PictureComparison.partsPerSide)

  /// The share of the rows by which all are known: what a partial picture must show.
  private static let leastShare = 0.5

  private(set) var comparison: PictureComparison
  /// Whether the picture was left though more of it would have come.
  private(set) var wasLeft = false
  private var means: PartMeans?
  private var raster: RasterDescription?
  private var rows = 0
  private var bands = 0

  init(_ comparison: PictureComparison) {
    self.comparison = comparison
  }

  mutating func begin(_ raster: RasterDescription) throws(DecodeFailure) {
    guard raster.model != .cmyk else { throw .unsupported("comparing inks") }
    self.raster = raster
    let side = PictureComparison.partsPerSide
    means = try PartMeans(raster, columns: side, rows: side)
  }

  mutating func consume(_ row: Span<UInt8>, plane: Int) throws(DecodeFailure) {
    means?.add(row, plane: plane)
    try look(plane)
  }

  mutating func consume(_ row: Span<UInt16>, plane: Int) throws(DecodeFailure) {
    means?.add(row, plane: plane)
    try look(plane)
  }

  private mutating func look(_ plane: Int) throws(DecodeFailure) {
    if plane == 0 { rows += 1 }
    let side = PictureComparison.partsPerSide
    let part = 1 / Double(side)
    while let band = means?.takeBand(), let raster {
      for (column, means) in band.enumerated() {
        guard let colour = PartColour(means, of: raster) else { continue }
        comparison.compare(
          colour,
          at: UnitRectangle(
            x: Double(column) * part, y: Double(bands) * part, width: part, height: part))
      }
      bands += 1
      comparison.hasSeenEnough = Double(bands) >= Self.leastShare * Double(side)
    }
    guard rows.isMultiple(of: Self.rowsPerLook), bands < side, comparison.isOver() else { return }
    wasLeft = true
    throw .truncated("left after row \(rows)")
  }
}
