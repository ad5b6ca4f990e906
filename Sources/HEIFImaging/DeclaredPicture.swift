internal import Imaging
internal import Media

/// The coded formats that are decoded.
enum Codec: String {
  case hevc
  case av1
}

/// A still picture as its file declares it: what is to be decoded, and what that will need. Made
/// from boxes alone, and only where the limits allow the decode.
struct DeclaredPicture {
  /// A picture of more tiles is refused: the largest camera grids have a few hundred.
  static let tileLimit = 4096

  let item: Int
  let codec: Codec
  let configuration: CodecConfiguration
  /// Before clean aperture, rotation and mirror.
  let codedSize: PixelSize
  /// After them.
  let size: PixelSize
  let iccProfile: [UInt8]?
  let codePoints: ColourCodePoints?
  /// The item that holds the alpha plane.
  let alphaItem: Int?
  /// The coded items of the picture itself, in the order of their places: one, or a grid's tiles.
  let tiles: [Int]
  /// Those of the alpha plane.
  let alphaTiles: [Int]

  init(
    item number: Int, in catalogue: ItemCatalogue, limits: DecodeLimits
  ) throws(DecodeFailure) {
    let item = try catalogue.item(number)
    let source = try CodedSource(number, in: catalogue, limits: limits)
    self.item = number
    codec = source.codec
    configuration = source.configuration
    codedSize = source.size
    size = try item.transformed(source.size)
    let tile = try catalogue.item(source.tiles[0])
    iccProfile = item.iccProfile ?? tile.iccProfile
    codePoints = item.codePoints ?? tile.codePoints
    tiles = source.tiles
    alphaItem = catalogue.alphaItem(of: number)
    alphaTiles =
      if let alphaItem { try CodedSource(alphaItem, in: catalogue, limits: limits).tiles } else {
        []
      }
  }
}

/// The coded items behind a picture item, which may be coded itself, a grid of coded ones, or the
/// same as another one.
private struct CodedSource {
  let codec: Codec
  let configuration: CodecConfiguration
  let size: PixelSize
  let tiles: [Int]

  init(
    _ number: Int, in catalogue: ItemCatalogue, limits: DecodeLimits
  ) throws(DecodeFailure) {
    let item = try catalogue.item(number)
    let base = item.type == "iden" ? try catalogue.identitySource(of: item) : number
    let baseItem = try catalogue.item(base)
    size = if let declared = item.declaredSize { declared } else { try baseItem.size() }
    try limits.check(size)
    switch baseItem.type {
    case "grid": tiles = baseItem.references["dimg"] ?? []
    default: tiles = [base]
    }
    guard let first = tiles.first else { throw .corrupt("a grid without tiles") }
    guard tiles.count <= DeclaredPicture.tileLimit else {
      throw .unsupported(
        "a grid of \(tiles.count) tiles, the limit is \(DeclaredPicture.tileLimit)")
    }
    codec = try catalogue.item(first).codec()
    configuration = try catalogue.item(first).configuration()
    try Self.check(tiles, of: codec, in: catalogue, limits)
  }

  /// A grid's tiles must be coded items of one format; all together may not be a multiple of what
  /// a picture may have.
  private static func check(
    _ tiles: [Int], of codec: Codec, in catalogue: ItemCatalogue, _ limits: DecodeLimits
  ) throws(DecodeFailure) {
    var total = 0
    for tile in tiles {
      let item = try catalogue.item(tile)
      guard try item.codec() == codec else { throw .unsupported("a grid of several coded formats") }
      let size = try item.size()
      try limits.check(size)
      total += size.area ?? 0
    }
    // Tiles reach beyond the picture's edges by less than one tile.
    guard total / 4 <= limits.maxPixels else {
      throw .tooManyPixels(declared: total, limit: limits.maxPixels)
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
