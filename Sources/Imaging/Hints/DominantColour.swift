internal import Media

/// The colour that a person would name first.
///
/// Pixels are counted in cells of 16 × 16 × 16 levels; colourful ones count more than gray ones. The
/// heaviest cell, its neighbours with it, gives the colour by its mean.
enum DominantColour {
  private static let cellsPerAxis = 16
  /// What a gray pixel counts beside a fully saturated one.
  private static let weightOfGray = 0.25

  private struct Cell {
    var red = 0.0
    var green = 0.0
    var blue = 0.0
    var weight = 0.0

    static func += (sum: inout Cell, other: Cell) {
      sum.red += other.red
      sum.green += other.green
      sum.blue += other.blue
      sum.weight += other.weight
    }
  }

  /// Nil when every pixel is transparent.
  static func find(in raster: PreviewRaster) -> RGBColour? {
    let cells = histogram(raster)
    var best = Cell()
    for index in cells.indices where cells[index].weight > 0 {
      let cluster = cluster(around: index, in: cells)
      if cluster.weight > best.weight { best = cluster }
    }
    guard best.weight > 0 else { return nil }
    return RGBColour(
      red: UInt8((best.red / best.weight).rounded()),
      green: UInt8((best.green / best.weight).rounded()),
      blue: UInt8((best.blue / best.weight).rounded()))
  }

  private static func histogram(_ raster: PreviewRaster) -> [Cell] {
    var cells = [Cell](repeating: Cell(), count: cellsPerAxis * cellsPerAxis * cellsPerAxis)
    for pixel in stride(from: 0, to: raster.samples.count, by: 4) {
      let colour = (0..<3).map { Int(raster.samples[pixel + $0]) }
      let chroma = Double((colour.max() ?? 0) - (colour.min() ?? 0)) / 255
      let weight =
        (weightOfGray + (1 - weightOfGray) * chroma) * Double(raster.samples[pixel + 3]) / 255
      let index = (colour[0] / 16 * cellsPerAxis + colour[1] / 16) * cellsPerAxis + colour[2] / 16
      cells[index] += Cell(
        red: weight * Double(colour[0]), green: weight * Double(colour[1]),
        blue: weight * Double(colour[2]), weight: weight)
    }
    return cells
  }

  private static func cluster(around index: Int, in cells: [Cell]) -> Cell {
    let place = [index / 256, index / 16 % 16, index % 16]
    let ranges = place.map { max(0, $0 - 1)...min(cellsPerAxis - 1, $0 + 1) }
    var sum = Cell()
    for red in ranges[0] {
      for green in ranges[1] {
        for blue in ranges[2] {
          sum += cells[(red * cellsPerAxis + green) * cellsPerAxis + blue]
        }
      }
    }
    return sum
  }
}
