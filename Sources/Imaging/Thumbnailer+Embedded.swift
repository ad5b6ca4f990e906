package import Media

extension RenderReply {
  /// Whether the thumbnail that the file carries is to be shown, after the picture itself was tried.
  package func wantsEmbedded(_ request: RenderRequest) -> Bool {
    guard request.operation == .render, renditions.isEmpty else { return false }
    switch request.embedded {
    case .never: return false
    case .always: return true
    case .asFallback: return problems.contains { Self.spoiling.contains($0.code) }
    }
  }

  /// What keeps a picture from being shown and says nothing of its thumbnail.
  private static let spoiling: [Problem.Code] = [.corrupt, .tooManyPixels, .unsupportedFormat]
}

extension Thumbnailer {
  /// Pixels of a thumbnail: cameras write 160 × 120, telephones up to 512 × 512.
  private static let thumbnailLimits = DecodeLimits(maxPixels: 2_000_000, maxFrames: 1)
  /// A header costs the same, however many pixels it declares.
  private static let headerLimits = DecodeLimits(maxPixels: .max, maxFrames: .max)

  /// Makes the renditions from the thumbnail beside a picture, where it shows the same picture; the
  /// reply's errors become warnings then, and its facts are those of the picture itself.
  ///
  /// `turned` is how the thumbnail is turned for display, where its decoder does not know. Where it
  /// has another shape than the picture, `letterbox` finds what of it has that shape.
  package static func showThumbnail<Picture, Thumbnail>(
    _ request: RenderRequest, of picture: inout Picture, in thumbnail: inout Thumbnail,
    turned: Orientation? = nil, output: Int32, reply: inout RenderReply,
    letterbox: (PixelSize) throws(DecodeFailure) -> UnitRectangle? = { _ in nil }
  )
  where
    Picture: PictureDecoder & ~Copyable, Thumbnail: PictureDecoder & ~Copyable
  {
    do throws(DecodeFailure) {
      let whole = try picture.readHeader(headerLimits)
      var header = try thumbnail.readHeader(thumbnailLimits)
      if let turned { header.take(turned, from: whole) }
      let shape = header.rasterOrientation.displayed(whole.facts.displayedSize)
      let isWhole = header.rasterSize.hasShape(of: shape)
      guard let shown = isWhole ? .whole : try letterbox(shape) else { return }
      var pass = RenditionPass(request, header: header, shown: shown)
      try thumbnail.decode(needed: nil, into: &pass)
      reply.facts = whole.facts
      reply.visibleFraction = 1
      reply.extent = .embedded
      for index in reply.problems.indices where reply.problems[index].severity == .error {
        reply.problems[index].severity = .warning
      }
      finish(&pass, output, reply: &reply)
    } catch {
      // What kept the picture itself from being shown has been told already.
    }
  }

  /// The thumbnail that a file's Exif block holds.
  static func showExifThumbnail(
    _ request: RenderRequest, _ format: MediaFormat, input: Int32, output: Int32,
    reply: inout RenderReply
  ) {
    guard let embedded = try? exifThumbnail(format, input: input) else { return }
    _ = try? withPictureDecoder(for: format, input: input) { picture in
      show(embedded, request, of: &picture, input: input, output: output, reply: &reply)
    }
  }

  /// The same where it has been found.
  package static func show<Picture: PictureDecoder & ~Copyable>(
    _ embedded: EmbeddedJPEG, _ request: RenderRequest, of picture: inout Picture, input: Int32,
    output: Int32, reply: inout RenderReply
  ) {
    var thumbnail = JPEGDecoder(input: input, part: embedded.part)
    showThumbnail(
      request, of: &picture, in: &thumbnail, turned: embedded.orientation, output: output,
      reply: &reply
    ) { (shape) throws(DecodeFailure) in
      var thumbnail = JPEGDecoder(input: input, part: embedded.part)
      let size = try thumbnail.readHeader(thumbnailLimits).rasterSize
      guard var box = Letterbox(of: shape, size: size) else { return nil }
      try thumbnail.decode(needed: nil, into: &box)
      return box.picture
    }
  }

  private static func exifThumbnail(
    _ format: MediaFormat, input: Int32
  ) throws(DecodeFailure) -> EmbeddedJPEG? {
    switch format {
    case .jpeg: return try JPEGMetadata.read(input).thumbnail
    case .png:
      var reader = try InputReader(input)
      return try PNGChunks.read(&reader, headerLimits).thumbnail
    case .webp:
      let mapping = try InputMapping.map(input)
      return WebPContainer(mapping).thumbnail(mapping)
    default: return nil
    }
  }
}

extension PictureHeader {
  /// Completes what a thumbnail's own file does not tell.
  fileprivate mutating func take(_ turned: Orientation, from whole: PictureHeader) {
    facts.orientation = turned
    rasterOrientation = turned
    iccProfile = whole.iccProfile
    codePoints = whole.codePoints
  }
}

extension PixelSize {
  /// Whether two sizes are those of one picture, give or take a pixel of the smaller and 2 %: a
  /// thumbnail of another shape has bars, or shows what was cut away later.
  func hasShape(of other: PixelSize) -> Bool {
    let height = Double(width) * Double(other.height) / Double(max(1, other.width))
    return abs(height - Double(self.height)) <= 1 + 0.02 * Double(self.height)
  }
}
