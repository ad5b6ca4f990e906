extension MediaFormat {
  /// What an ISO base media file (ISO/IEC 14496-12 §4.3) or an old QuickTime file holds; nil for
  /// other bytes.
  static func isoMediaFormat(_ bytes: Span<UInt8>) -> MediaFormat? {
    var offset = 0
    // Some writers put padding before `ftyp`; QuickTime before 2000 has no `ftyp` at all.
    for _ in 0..<8 {
      guard let type = bytes.fourCharacters(at: offset + 4) else { break }
      switch type {
      case "ftyp": return format(ofFileTypeAt: offset, in: bytes)
      case "styp", "moof", "sidx": return offset == 0 ? .mp4 : .mov
      case "mdat": return .mov
      case "moov" where bytes.byte(at: offset) == 0: return .mov
      case "wide", "free", "skip", "pnot", "uuid":
        guard let end = paddingEnd(at: offset, in: bytes) else { return nil }
        offset = end
      default: return nil
      }
    }
    return offset > 0 ? .mov : nil
  }

  /// Where a padding box ends; nil where its size is none that a writer makes: the box type is four
  /// letters that stand in plain text as well.
  private static func paddingEnd(at offset: Int, in bytes: Span<UInt8>) -> Int? {
    guard let size = bytes.bigEndian(at: offset, bytes: 4), size >= 8, size < 1 << 24 else {
      return nil
    }
    return offset + size
  }

  private static func format(ofFileTypeAt offset: Int, in bytes: Span<UInt8>) -> MediaFormat? {
    guard let brands = FileTypeBrands(at: offset, in: bytes) else { return nil }
    switch brands.major {
    case _ where FileTypeBrands.avif.contains(brands.major): return .avif
    case _ where FileTypeBrands.hevcPicture.contains(brands.major): return .heic
    case _ where FileTypeBrands.anyPicture.contains(brands.major):
      return pictureFormat(brands, in: bytes)
    case "jp2 ", "jpx ", "jpm ", "mjp2": return .jp2
    case "jxl ": return .jxl
    case "qt  ": return .mov
    case "M4A ", "M4B ", "M4P ", "F4A ", "F4B ": return .m4a
    // Canon's raw pictures wear a film's container.
    case "crx ": return .unknown
    case _ where brands.isKnownFilm: return .mp4
    case _ where brands.hasPicture: return pictureFormat(brands, in: bytes)
    default: return .mp4
    }
  }

  /// HEIC or AVIF for a brand that names no codec (`mif1`: ISO/IEC 23008-12 §10.2): by the
  /// compatible brands, else by the items that the `meta` box lists within reach. A still whose
  /// codec is neither, or out of reach, counts as HEIC: its decoder says what is wrong.
  private static func pictureFormat(
    _ brands: FileTypeBrands, in bytes: Span<UInt8>
  ) -> MediaFormat {
    let isAVIF = !brands.all.isDisjoint(with: FileTypeBrands.avif)
    let isHEVC = !brands.all.isDisjoint(with: FileTypeBrands.hevcPicture)
    if isAVIF != isHEVC { return isAVIF ? .avif : .heic }
    if bytes.contains("hvc1") || bytes.contains("hvcC") { return .heic }
    return bytes.contains("av01") || bytes.contains("av1C") ? .avif : .heic
  }
}

/// The brands of a `ftyp` box: what the file says it is, and what else may read it.
struct FileTypeBrands {
  let major: FourCharacters
  let all: Set<FourCharacters>

  /// Nil where not even the major brand is within reach.
  init?(at offset: Int, in bytes: Span<UInt8>) {
    let size = bytes.bigEndian(at: offset, bytes: 4) ?? 0
    // Size 1 means that a 64-bit size follows the type; 0 that the box reaches the file's end.
    let body = offset + (size == 1 ? 16 : 8)
    guard let major = bytes.fourCharacters(at: body) else { return nil }
    self.major = major
    let end = size < 16 ? bytes.count : min(bytes.count, offset + size)
    var all: Set = [major]
    // The minor version stands between the major and the compatible brands.
    for place in stride(from: body + 8, to: min(end, body + 8 + 4 * 64), by: 4) {
      if let brand = bytes.fourCharacters(at: place) { all.insert(brand) }
    }
    self.all = all
  }

  static let avif: Set<FourCharacters> = ["avif", "avis"]
  static let hevcPicture: Set<FourCharacters> = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs",
  ]
  /// HEIF's structural brands and MIAF's profiles, which name no codec by themselves.
  static let anyPicture: Set<FourCharacters> = [
    "mif1", "mif2", "msf1", "miaf", "MiHB", "MiHE", "MiPr", "MA1A", "MA1B", "1pic",
  ]

  var hasPicture: Bool {
    !all.isDisjoint(with: Self.avif.union(Self.hevcPicture).union(Self.anyPicture))
  }

  /// Whether the major brand is one of a film: the ISO base and MP4 brands.
  var isKnownFilm: Bool {
    let prefix = major.value >> 8
    return ["iso", "mp4", "avc", "M4V", "3gp", "3g2", "MSN", "das", "cmf", "f4v", "F4V"]
      .contains { (text: FourCharacters) in text.value == prefix }
  }
}
