internal import CHEIF
package import Imaging
package import Media

/// Decodes the primary picture of a HEIC or AVIF file, or the thumbnail embedded beside it.
///
/// The file's boxes are read in Swift, with every limit checked, before libheif sees them.
package struct HEIFDecoder: ~Copyable, PictureDecoder {
  package enum Source: Sendable, Hashable {
    case primary
    /// The small copy of the primary picture (`thmb`); `.unsupported` where the file has none.
    case embeddedThumbnail
  }

  private let descriptor: Int32
  private let source: Source
  private var opened: OpenedPicture?

  /// Reads from an open file, which the caller closes after the decoder has ended.
  package init(input descriptor: Int32, source: Source = .primary) {
    self.descriptor = descriptor
    self.source = source
  }

  package mutating func readHeader(
    _ limits: DecodeLimits
  ) throws(DecodeFailure) -> PictureHeader {
    let opened = try OpenedPicture(descriptor, source, limits)
    self.opened = opened
    return opened.picture.header
  }

  /// Delivers RGB or gray, with alpha where the picture has it; 10 and 12 bits as 16. There is no
  /// scaled decode: `needed` changes nothing.
  package mutating func decode<Sink: RowSink & ~Copyable>(
    needed: PixelSize?, into sink: inout Sink
  ) throws(DecodeFailure) {
    guard let opened else { throw .corrupt("decoded before the header was read") }
    try opened.checkData()
    let context = try LibraryContext(opened.file)
    let primary = try context.primaryImage()
    switch source {
    case .primary: try deliver(primary, opened, into: &sink)
    case .embeddedThumbnail:
      try deliver(try primary.thumbnail(opened.picture.item), opened, into: &sink)
    }
  }

  private func deliver<Sink: RowSink & ~Copyable>(
    _ handle: borrowing ImageHandle, _ opened: OpenedPicture, into sink: inout Sink
  ) throws(DecodeFailure) {
    let image = try handle.decode()
    guard let size = image.size, size == opened.picture.size else {
      throw .corrupt(
        "\(opened.picture.size) is declared, \(image.size?.description ?? "nothing") coded")
    }
    try PixelDelivery(image, isPremultiplied: handle.isPremultiplied).deliver(into: &sink)
  }
}

/// A file whose boxes have been read and found acceptable.
private struct OpenedPicture {
  let file: InputFile
  let catalogue: ItemCatalogue
  let itemData: Range<Int>?
  let picture: DeclaredPicture

  init(
    _ descriptor: Int32, _ source: HEIFDecoder.Source, _ limits: DecodeLimits
  ) throws(DecodeFailure) {
    file = try InputFile(descriptor: descriptor)
    let boxes = try FileBoxes(file)
    catalogue = try ItemCatalogue(boxes)
    itemData = boxes.itemData
    let primary = try DeclaredPicture(item: catalogue.primary, in: catalogue, limits: limits)
    switch source {
    case .primary: picture = primary
    case .embeddedThumbnail:
      guard let thumbnail = catalogue.thumbnail(of: catalogue.primary) else {
        throw .unsupported("the file has no embedded thumbnail")
      }
      picture = try DeclaredPicture(item: thumbnail, in: catalogue, limits: limits)
    }
  }

  /// Finds out before decoding whether the file ends before an item that is needed.
  func checkData() throws(DecodeFailure) {
    for item in picture.tiles + picture.alphaTiles {
      guard let location = try catalogue.item(item).location else {
        throw .corrupt("item \(item) lies nowhere")
      }
      try location.check(fileSize: file.size, itemData: itemData)
    }
  }
}
