/// What the first bytes of a picture file announce: enough to tell what decoding it will cost, and
/// nothing to rely on.
package struct PictureOutline: Sendable, Hashable {
  /// As stored.
  package var size: PixelSize
  /// Whether the rows come in several passes: progressive JPEG, Adam7.
  package var isInterlaced = false
  /// Lossless WebP.
  package var isLossless = false
  /// Whether the picture is put together from tiles that are coded one by one (HEIF grids).
  package var isTiled = false
  /// Whether a JPEG has an Exif segment that is large enough for a thumbnail.
  package var mayHoldThumbnail = true
  /// Whether a thumbnail, or what usually holds one, is announced and comes with the rest of the file:
  /// an Exif block of a PNG or WebP, an Exif or thumbnail item of an AVIF.
  package var announcesThumbnail = false

  /// Nil where the size is out of reach, or there is none.
  package init?(_ format: MediaFormat, _ bytes: [UInt8]) {
    let bytes = bytes.span
    let outline: PictureOutline? =
      switch format {
      case .jpeg: Self.jpeg(bytes)
      case .png: Self.png(bytes)
      case .gif: Self.gif(bytes)
      case .webp: Self.webp(bytes)
      case .heic, .avif: Self.heif(bytes)
      default: nil
      }
    guard let outline else { return nil }
    self = outline
  }

  private init?(width: Int?, height: Int?) {
    guard let width, let height, width > 0, height > 0 else { return nil }
    size = PixelSize(width: width, height: height)
  }

  /// The least Exif segment that holds a picture worth showing.
  private static let leastThumbnail = 1500

  /// Walks the marker segments to the frame header (ISO/IEC 10918-1 B.2.2).
  private static func jpeg(_ bytes: Span<UInt8>) -> PictureOutline? {
    var offset = 2
    var mayHoldThumbnail = false
    while bytes.byte(at: offset) == 0xFF, let marker = bytes.byte(at: offset + 1) {
      if marker == 0xFF {
        offset += 1
        continue
      }
      guard let length = bytes.bigEndian(at: offset + 2, bytes: 2), length >= 2 else { return nil }
      if marker == 0xE1, bytes.holds("Exif", at: offset + 4), length > leastThumbnail {
        mayHoldThumbnail = true
      }
      let isFrame =
        (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
      if isFrame {
        var outline = PictureOutline(
          width: bytes.bigEndian(at: offset + 7, bytes: 2),
          height: bytes.bigEndian(at: offset + 5, bytes: 2))
        outline?.isInterlaced = [0xC2, 0xC6, 0xCA, 0xCE].contains(marker)
        outline?.mayHoldThumbnail = mayHoldThumbnail
        return outline
      }
      offset += 2 + length
    }
    return nil
  }

  /// IHDR comes first (PNG third edition §11.2.1).
  private static func png(_ bytes: Span<UInt8>) -> PictureOutline? {
    var outline = PictureOutline(
      width: bytes.bigEndian(at: 16, bytes: 4), height: bytes.bigEndian(at: 20, bytes: 4))
    outline?.isInterlaced = bytes.byte(at: 28) == 1
    var offset = 8
    while let length = bytes.bigEndian(at: offset, bytes: 4), !bytes.holds("IDAT", at: offset + 4) {
      if bytes.holds("eXIf", at: offset + 4) { outline?.announcesThumbnail = true }
      offset += 12 + length
    }
    return outline
  }

  /// The logical screen (GIF89a §18).
  private static func gif(_ bytes: Span<UInt8>) -> PictureOutline? {
    PictureOutline(
      width: bytes.littleEndian(at: 6, bytes: 2), height: bytes.littleEndian(at: 8, bytes: 2))
  }

  /// RFC 9649 §2.5–2.7, RFC 6386 §9.1.
  private static func webp(_ bytes: Span<UInt8>) -> PictureOutline? {
    switch bytes.fourCharacters(at: 12) {
    case "VP8 ":
      return PictureOutline(
        width: bytes.littleEndian(at: 26, bytes: 2).map { $0 & 0x3FFF },
        height: bytes.littleEndian(at: 28, bytes: 2).map { $0 & 0x3FFF })
    case "VP8L":
      let bits = bytes.littleEndian(at: 21, bytes: 4)
      var outline = PictureOutline(
        width: bits.map { $0 & 0x3FFF + 1 }, height: bits.map { $0 >> 14 & 0x3FFF + 1 })
      outline?.isLossless = true
      return outline
    case "VP8X":
      var outline = PictureOutline(
        width: bytes.littleEndian(at: 24, bytes: 3).map { $0 + 1 },
        height: bytes.littleEndian(at: 27, bytes: 3).map { $0 + 1 })
      outline?.isLossless = bytes.contains("VP8L")
      outline?.announcesThumbnail = bytes.byte(at: 20).map { $0 & 0x08 != 0 } ?? false
      return outline
    default: return nil
    }
  }

  /// The largest `ispe` property: of a grid that is the grid's own (ISO/IEC 23008-12 §6.5.3).
  private static func heif(_ bytes: Span<UInt8>) -> PictureOutline? {
    var best: PictureOutline?
    var isTiled = false
    var window: UInt32 = 0
    for index in bytes.indices {
      window = window << 8 | UInt32(bytes[index])
      if FourCharacters(window) == "grid" { isTiled = true }
      // The type, then version and flags.
      guard index >= 3, FourCharacters(window) == "ispe",
        let found = PictureOutline(
          width: bytes.bigEndian(at: index + 5, bytes: 4),
          height: bytes.bigEndian(at: index + 9, bytes: 4)),
        let area = found.size.area
      else { continue }
      if best.flatMap(\.size.area).map({ $0 < area }) ?? true { best = found }
    }
    best?.isTiled = isTiled
    best?.announcesThumbnail = bytes.contains("thmb") || bytes.contains("Exif")
    return best
  }
}
