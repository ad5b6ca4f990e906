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
  let source: CodedSource
  let alpha: CodedSource?
  /// Whether the colours have been multiplied by alpha.
  let isPremultiplied: Bool
  let geometry: PictureGeometry
  let iccProfile: [UInt8]?
  /// Nil where the container leaves it to the bitstream.
  let coding: ColourCoding?

  init(
    item number: Int, in catalogue: ItemCatalogue, of boxes: FileBoxes, limits: DecodeLimits
  ) throws(DecodeFailure) {
    let item = try catalogue.item(number)
    source = try CodedSource(number, in: catalogue, of: boxes, limits: limits)
    let tile = try catalogue.item(source.tiles[0])
    iccProfile = item.iccProfile ?? tile.iccProfile
    coding = item.coding ?? tile.coding
    geometry = try PictureGeometry(coded: source.size, item.properties)
    let alphaItems = catalogue.alphaItems
    if let alphaItem = alphaItems[number] {
      alpha = try CodedSource(alphaItem, in: catalogue, of: boxes, limits: limits)
      isPremultiplied = item.references["prem"]?.contains(alphaItem) == true
    } else {
      // A grid may have its alpha tile by tile.
      let tiles = source.tiles.compactMap { alphaItems[$0] }
      alpha =
        tiles.count == source.tiles.count
        ? try CodedSource(tiles, placedAs: source, in: catalogue) : nil
      isPremultiplied = tile.references["prem"]?.contains(where: tiles.contains) == true
    }
  }
}
