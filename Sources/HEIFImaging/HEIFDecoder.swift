package import Imaging
package import Media

/// Decodes the primary picture of a HEIC or AVIF file, or the thumbnail embedded beside it.
///
/// The file's boxes are read in Swift, with every limit checked; libde265 and dav1d see nothing but
/// the coded data of single tiles.
package struct HEIFDecoder: ~Copyable, PictureDecoder {
  package enum Source: Sendable, Hashable {
    case primary
    /// The small copy of the primary picture (`thmb`); `.unsupported` where the file has none.
    case embeddedThumbnail
  }

  private let descriptor: Int32
  private let source: Source
  private var delivery: PictureDelivery?
  private var cutBox: FourCharacterCode?

  /// Reads from an open file, which the caller closes after the decoder has ended.
  package init(input descriptor: Int32, source: Source = .primary) {
    self.descriptor = descriptor
    self.source = source
  }

  /// Makes the libraries set up their tables and choose code for the processor.
  package static func warmUp() {
    HEVCPicture.warmUp()
    AV1Picture.warmUp()
  }

  package mutating func readHeader(
    _ limits: DecodeLimits
  ) throws(DecodeFailure) -> PictureHeader {
    let boxes = try FileBoxes(try InputFile(descriptor: descriptor))
    cutBox = boxes.cutBox
    let catalogue = try ItemCatalogue(boxes)
    let picture = try DeclaredPicture(
      item: try item(in: catalogue), in: catalogue, of: boxes, limits: limits)
    let reader = ItemReader(boxes: boxes, catalogue: catalogue, pixelLimit: limits.maxPixels)
    delivery = PictureDelivery(reader: reader, picture: picture)
    return picture.header
  }

  private func item(in catalogue: ItemCatalogue) throws(DecodeFailure) -> Int {
    switch source {
    case .primary: return catalogue.primary
    case .embeddedThumbnail:
      guard let thumbnail = catalogue.thumbnail(of: catalogue.primary) else {
        throw .unsupported("the file has no embedded thumbnail")
      }
      return thumbnail
    }
  }

  /// Delivers gray pictures and JFIF-like ones as planes, all others as RGB, with alpha where the
  /// picture has it; 10 and 12 bits as 16. There is no scaled decode: `needed` changes nothing.
  package mutating func decode<Sink: RowSink & ~Copyable>(
    needed: PixelSize?, into sink: inout Sink
  ) throws(DecodeFailure) {
    guard let delivery else { throw .corrupt("decoded before the header was read") }
    try delivery.deliver(into: &sink)
  }

  package mutating func show(to comparison: inout PictureComparison) throws(DecodeFailure) {
    guard let delivery else { throw .corrupt("shown before the header was read") }
    try delivery.show(to: &comparison)
  }

  /// Pictures beside the one that is shown may be missing though that is whole.
  package func checkLaterFrames(isThorough: Bool) throws(DecodeFailure) {
    guard isThorough, let cutBox else { return }
    throw .truncated("the file ends in its \(cutBox) box")
  }
}
