import Testing

/// A grid of separately encoded tiles, which no encoder at hand makes.
struct HEICGrid {
  let file: SyntheticFile

  init(
    _ picture: TestPicture, tile: Int, width: Int, height: Int, options: [String] = []
  ) async throws {
    let (columns, rows) = (picture.width / tile, picture.height / tile)
    var tiles: [SyntheticFile.Item] = []
    var configuration: [UInt8] = []
    for row in 0..<rows {
      for column in 0..<columns {
        let part = picture.cut(x: column * tile, y: row * tile, width: tile, height: tile)
        let encoded = try await part.heic(options)
        configuration = try #require(encoded.box("hvcC"))
        let data = try #require(encoded.box("mdat")).dropFirst(8)
        tiles.append(SyntheticFile.Item(type: "hvc1", data: Array(data), properties: [1, 2]))
      }
    }
    let grid = SyntheticFile.Item(
      type: "grid",
      data: SyntheticFile.grid(columns: columns, rows: rows, width: width, height: height),
      properties: [3])
    file = SyntheticFile(
      items: [grid] + tiles,
      properties: [
        configuration, SyntheticFile.size(tile, tile), SyntheticFile.size(width, height),
      ],
      references: [.init(type: "dimg", from: 1, to: Array(2..<2 + tiles.count))])
  }
}
