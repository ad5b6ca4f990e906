package import Imaging

extension HEIFDecoder {
  private static let exifLimit = 1_000_000

  /// The thumbnail in the Exif item of a file's primary picture (ISO/IEC 23008-12, A.2.1); nil where
  /// there is none that lies in one piece.
  package static func exifThumbnail(
    _ descriptor: Int32
  ) throws(DecodeFailure) -> EmbeddedJPEG? {
    let boxes = try FileBoxes(try InputFile(descriptor: descriptor))
    let catalogue = try ItemCatalogue(boxes)
    let item = catalogue.items.values.first {
      $0.type == "Exif" && $0.references["cdsc"]?.contains(catalogue.primary) == true
    }
    guard let location = item?.location, location.origin == .file,
      location.extents.count == 1, let extent = location.extents.first
    else { return nil }
    let bytes = try boxes.bytes(at: location, limit: exifLimit)
    guard bytes.count > 4 else { return nil }
    // The first four bytes tell where the block begins behind them.
    let offset = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) } + 4
    guard offset < bytes.count else { return nil }
    return EmbeddedJPEG(
      exif: Array(bytes.dropFirst(offset)), at: extent.lowerBound + offset)
  }
}
