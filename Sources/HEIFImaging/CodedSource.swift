internal import Imaging
internal import Media

/// The coded items behind a picture item, which may be coded itself, a grid of coded ones, or the
/// same as another one.
struct CodedSource {
  /// A picture of more tiles is refused: the largest camera grids have a few hundred.
  static let tileLimit = 4096

  let codec: Codec
  let configuration: CodecConfiguration
  /// Before every transformation.
  let size: PixelSize
  /// Row by row.
  let tiles: [Int]
  let columns: Int
  let tileSize: PixelSize

  init(
    _ number: Int, in catalogue: ItemCatalogue, of boxes: FileBoxes, limits: DecodeLimits
  ) throws(DecodeFailure) {
    let item = try catalogue.item(number)
    let base = item.type == "iden" ? try catalogue.identitySource(of: item) : number
    let baseItem = try catalogue.item(base)
    size = if let declared = item.declaredSize { declared } else { try baseItem.size() }
    try limits.check(size)
    let grid = baseItem.type == "grid" ? try TileGrid(baseItem, boxes) : nil
    tiles = grid?.tiles ?? [base]
    columns = grid?.columns ?? 1
    let first = try catalogue.item(tiles[0])
    codec = try first.codec()
    configuration = try first.configuration()
    tileSize = grid == nil ? size : try first.size()
    try limits.check(tileSize)
    try checkTiles(in: catalogue)
    if let grid { try check(grid) }
  }

  /// Coded items that lie as another picture's tiles do.
  init(
    _ tiles: [Int], placedAs other: CodedSource, in catalogue: ItemCatalogue
  ) throws(DecodeFailure) {
    self.tiles = tiles
    (size, columns, tileSize) = (other.size, other.columns, other.tileSize)
    let first = try catalogue.item(tiles[0])
    codec = try first.codec()
    configuration = try first.configuration()
    try checkTiles(in: catalogue)
  }

  var rows: Int { tiles.count / columns }

  private func checkTiles(in catalogue: ItemCatalogue) throws(DecodeFailure) {
    guard tiles.count > 1 else { return }
    for tile in tiles {
      let tile = try catalogue.item(tile)
      guard try tile.codec() == codec, try tile.size() == tileSize else {
        throw .unsupported("a grid of tiles of several kinds")
      }
    }
  }

  /// Tiles must cover the picture, and reach beyond its edges by less than one tile
  /// (ISO/IEC 23008-12, 6.6.2.3.1).
  private func check(_ grid: TileGrid) throws(DecodeFailure) {
    guard grid.size == size else { throw .corrupt("a grid of \(grid.size) in an item of \(size)") }
    let whole = PixelSize(width: columns * tileSize.width, height: rows * tileSize.height)
    guard whole.width >= size.width, whole.height >= size.height else {
      throw .corrupt("tiles that cover \(whole) of \(size)")
    }
    guard whole.width - size.width < tileSize.width, whole.height - size.height < tileSize.height
    else { throw .corrupt("tiles that cover \(whole) for a picture of \(size)") }
  }
}

/// A grid item's own data (ISO/IEC 23008-12, 6.6.2.3.2).
private struct TileGrid {
  let tiles: [Int]
  let columns: Int
  let size: PixelSize

  init(_ item: ItemCatalogue.Item, _ boxes: FileBoxes) throws(DecodeFailure) {
    guard let location = item.location else { throw .corrupt("a grid without its data") }
    var data = BoxContent("grid", try boxes.bytes(at: location, limit: 64))
    try data.skip(1)
    let width = try data.number(bytes: 1) & 1 == 0 ? 2 : 4
    let rows = try data.number(bytes: 1) + 1
    columns = try data.number(bytes: 1) + 1
    size = PixelSize(width: try data.number(bytes: width), height: try data.number(bytes: width))
    tiles = item.references["dimg"] ?? []
    guard tiles.count <= CodedSource.tileLimit else {
      throw .unsupported("a grid of \(tiles.count) tiles, the limit is \(CodedSource.tileLimit)")
    }
    guard tiles.count == rows * columns else {
      throw .corrupt("a grid of \(rows) × \(columns) with \(tiles.count) tiles")
    }
  }
}

extension DecodeLimits {
  func check(_ size: PixelSize) throws(DecodeFailure) {
    guard let area = size.area, area <= maxPixels else {
      throw .tooManyPixels(declared: size.area ?? .max, limit: maxPixels)
    }
  }
}
