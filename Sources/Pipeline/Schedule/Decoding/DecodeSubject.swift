internal import Files
internal import Media

/// What a child is to read, as far as the cost of it goes.
package struct DecodeSubject: Sendable, Hashable {
  package enum Coding: String, Sendable, Hashable, CaseIterable {
    case jpeg, progressiveJPEG, png, interlacedPNG, gif, webp, losslessWebP, heic, avif
    case sound, film
    /// The thumbnail that a file carries, without its picture.
    case thumbnail
    case page
  }

  package var coding: Coding
  /// As the file announces them; guessed from its length where that is out of reach.
  package var pixels: Int
  package var bytes: Int
  /// Whether all that is wanted fits into 512 × 512.
  package var isForSmall: Bool

  package init(_ coding: Coding, pixels: Int, bytes: Int, isForSmall: Bool = false) {
    self.coding = coding
    self.pixels = pixels
    self.bytes = bytes
    self.isForSmall = isForSmall
  }

  var megapixels: Double { Double(pixels) / 1e6 }
  var megabytes: Double { Double(bytes) / 1e6 }
}

extension DecodeSubject {
  /// Bytes in which nearly every file tells its size, Exif and profile before it included.
  fileprivate static let headLength = 131_072
  private static let smallSide = 512
  /// Of a file whose size is out of reach.
  private static let pixelsPerByte = 5

  /// What a request is about. Reads the beginning of the input, and trusts none of it.
  init(_ request: RenderRequest, on input: LocalInput) {
    let outline = input.outline
    let area = outline?.size.area ?? input.byteCount.multipliedOrMost(by: Self.pixelsPerByte)
    self.init(
      request.embedded == .always ? .thumbnail : Self.coding(of: input.format, outline),
      pixels: min(area, request.limits.maxPixels), bytes: input.byteCount,
      isForSmall: Self.isForSmall(request))
  }

  /// The same of a picture of which only the first bytes have come; nil where they tell nothing of the
  /// cost, or the picture is too large to be decoded at all.
  init?(
    _ request: RenderRequest, _ outline: PictureOutline, _ format: MediaFormat, declared: Int?
  ) {
    guard let area = outline.size.area, area <= request.limits.maxPixels else { return nil }
    let guess = format.usualBytesPerPixel.map { Int(Double(area) * $0) }
    guard let bytes = declared ?? guess else { return nil }
    self.init(
      Self.coding(of: format, outline), pixels: area, bytes: bytes,
      isForSmall: Self.isForSmall(request))
  }

  private static func isForSmall(_ request: RenderRequest) -> Bool {
    request.renditions.allSatisfy { max($0.box.width, $0.box.height) <= smallSide }
  }

  private static func coding(of format: MediaFormat, _ outline: PictureOutline?) -> Coding {
    switch format {
    case .png: outline?.isInterlaced == true ? .interlacedPNG : .png
    case .gif: .gif
    case .webp: outline?.isLossless == true ? .losslessWebP : .webp
    case .heic: .heic
    case .avif: .avif
    case _ where format.kind == .audio: .sound
    case _ where format.kind == .video: .film
    default: outline?.isInterlaced == true ? .progressiveJPEG : .jpeg
    }
  }
}

extension LocalInput {
  /// What the first bytes announce; nil where they announce nothing.
  var outline: PictureOutline? {
    let head = try? descriptor.read(at: 0, count: min(byteCount, DecodeSubject.headLength))
    return head.flatMap { PictureOutline(format, $0) }
  }
}

extension MediaFormat {
  /// Of a photograph; nil where the first bytes tell nothing of the cost.
  fileprivate var usualBytesPerPixel: Double? {
    switch self {
    case .jpeg: 0.25
    case .png: 1.5
    case .webp: 0.2
    default: nil
    }
  }
}

extension Int {
  fileprivate func multipliedOrMost(by factor: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? .max : product
  }
}
