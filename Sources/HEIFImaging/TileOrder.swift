/// In which order the tiles of a grid are looked at, so that the first of them, however many, lie
/// evenly all over the picture.
package enum TileOrder {
  /// The steps of the additive sequence with the plastic number (Roberts, 2018), in 1/65536: points of
  /// a plane with such weights are spread evenly at each threshold.
  private static let (columnStep, rowStep) = (49_472, 37_345)

  /// The numbers of all tiles, which are counted row by row.
  package static func spread(columns: Int, rows: Int) -> [Int] {
    func weight(_ tile: Int) -> Int {
      (tile % columns &* columnStep &+ tile / columns &* rowStep) & 0xffff
    }
    return (0..<columns * rows).sorted { (weight($0), $0) < (weight($1), $1) }
  }

  /// How many of so many tiles tell of all: a quarter, and four at least.
  package static func tellingCount(of count: Int) -> Int { min(count, max(4, (count + 3) / 4)) }
}
