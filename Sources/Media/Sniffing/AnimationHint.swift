extension MediaFormat {
  /// Whether a picture file of this format announces more than one frame; nil where that is out of
  /// reach, or the format tells it only by being read to its end.
  package func announcesAnimation(_ bytes: Span<UInt8>) -> Bool? {
    switch self {
    case .png: Self.pngAnnouncesAnimation(bytes)
    case .webp: Self.webpAnnouncesAnimation(bytes)
    case .gif: Self.gifAnnouncesAnimation(bytes)
    case .heic, .avif: Self.heifAnnouncesAnimation(bytes)
    case .jpeg, .bmp, .svg, .jp2: false
    default: nil
    }
  }

  /// The same for an array.
  package func announcesAnimation(_ bytes: [UInt8]) -> Bool? {
    announcesAnimation(bytes.span)
  }

  /// APNG: an `acTL` chunk before the first `IDAT` (PNG third edition §11.3.5).
  private static func pngAnnouncesAnimation(_ bytes: Span<UInt8>) -> Bool? {
    var offset = 8
    while let length = bytes.bigEndian(at: offset, bytes: 4),
      let type = bytes.fourCharacters(at: offset + 4)
    {
      if type == "acTL" { return true }
      if type == "IDAT" || type == "IEND" { return false }
      // Length, type and CRC take twelve bytes.
      offset += 12 + length
    }
    return nil
  }

  /// The animation bit of `VP8X` (RFC 9649 §2.7); the simple forms are stills.
  private static func webpAnnouncesAnimation(_ bytes: Span<UInt8>) -> Bool? {
    switch bytes.fourCharacters(at: 12) {
    case "VP8X": bytes.byte(at: 20).map { $0 & 0x02 != 0 }
    case "VP8 ", "VP8L": false
    default: nil
    }
  }

  /// A second image descriptor, or the trailer after the first (GIF89a §20, §27).
  private static func gifAnnouncesAnimation(_ bytes: Span<UInt8>) -> Bool? {
    guard let flags = bytes.byte(at: 10) else { return nil }
    var offset = 13 + colourTableSize(flags)
    var images = 0
    while let introducer = bytes.byte(at: offset) {
      switch introducer {
      case 0x2C:
        images += 1
        if images > 1 { return true }
        guard let flags = bytes.byte(at: offset + 9) else { return nil }
        // Descriptor, local colours, the code size, then the data.
        offset = subBlocksEnd(at: offset + 11 + colourTableSize(flags), in: bytes)
      case 0x21: offset = subBlocksEnd(at: offset + 2, in: bytes)
      case 0x3B: return false
      default: return nil
      }
    }
    return nil
  }

  private static func colourTableSize(_ flags: UInt8) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
  }

  /// The first byte after a chain of sub-blocks, or some place out of reach.
  private static func subBlocksEnd(at start: Int, in bytes: Span<UInt8>) -> Int {
    var offset = start
    while let size = bytes.byte(at: offset), size > 0 { offset += 1 + Int(size) }
    return offset + 1
  }

  /// A major brand of an image sequence (ISO/IEC 23008-12 §10.3, AVIF §6.3).
  private static func heifAnnouncesAnimation(_ bytes: Span<UInt8>) -> Bool? {
    guard bytes.holds("ftyp", at: 4), let brands = FileTypeBrands(at: 0, in: bytes) else {
      return nil
    }
    let sequences: Set<FourCharacters> = ["avis", "msf1", "hevc", "hevx", "hevm", "hevs"]
    return sequences.contains(brands.major)
  }
}
