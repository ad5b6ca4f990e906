package import Media

extension RenderReply {
  /// Whether the thumbnail that the file carries is to be shown, after the picture itself was tried.
  package func wantsEmbedded(_ request: RenderRequest) -> Bool {
    guard request.operation == .render, renditions.isEmpty,
      !problems.contains(where: { $0.code == .noPicture })
    else { return false }
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
  static let thumbnailLimits = DecodeLimits(maxPixels: 2_000_000, maxFrames: 1)
  /// A header costs the same, however many pixels it declares.
  private static let headerLimits = DecodeLimits(maxPixels: .max, maxFrames: .max)

  /// Makes the renditions from the thumbnail beside a picture, where it shows the same picture; the
  /// reply's errors become warnings then, and its facts are those of the picture itself.
  ///
  /// `turned` is how the thumbnail is turned for display, where its decoder does not know. Where it
  /// has another shape than the picture, `letterbox` finds what of it has that shape. Where the request
  /// has time for it, a thumbnail that is as large as is needed is compared with the picture: it is as
  /// good as that, shown as a thumbnail, or not shown.
  package static func showThumbnail<Picture, Thumbnail>(
    _ request: RenderRequest, of picture: inout Picture, in thumbnail: inout Thumbnail,
    turned: Orientation? = nil, output: Int32, reply: inout RenderReply,
    letterbox: (PixelSize) throws(DecodeFailure) -> UnitRectangle? = { _ in nil }
  )
  where
    Picture: PictureDecoder & ~Copyable, Thumbnail: PictureDecoder & ~Copyable
  {
    do throws(DecodeFailure) {
      // Nothing beyond the limits is looked at, nor what has been found wrong.
      let time = reply.problems.isEmpty ? request.comparison : nil
      let whole = try picture.readHeader(time == nil ? headerLimits : request.limits)
      var header = try thumbnail.readHeader(thumbnailLimits)
      if let turned { header.take(turned, from: whole) }
      let shape = header.rasterOrientation.displayed(whole.facts.displayedSize)
      let isWhole = header.rasterSize.hasShape(of: shape)
      guard let shown = isWhole ? .whole : try letterbox(shape) else { return }
      let isCompared = time != nil && whole.mayBeServed(by: header, request)
      var rows = RowPair(
        RenditionPass(request, header: header, shown: shown), isCompared ? CoarsePicture() : nil)
      try thumbnail.decode(needed: nil, into: &rows)
      let verdict = compare(rows.coarse, header, with: &picture, whole, time: time)
      guard verdict != .different else {
        reply.problems.append(Problem(.decode, .noPicture, otherPicture))
        return
      }
      reply.facts = whole.facts
      reply.visibleFraction = 1
      reply.extent = verdict == .same ? .hurried : .embedded
      for index in reply.problems.indices where reply.problems[index].severity == .error {
        reply.problems[index].severity = .warning
      }
      finish(&rows.pass, output, reply: &reply)
    } catch {
      // What kept the picture itself from being shown has been told already.
    }
  }

  private static let otherPicture =
    "the thumbnail in the file shows something else than its picture and is not shown"

  /// What a picture whose header was read tells of its thumbnail; undecided without one.
  private static func compare<Picture: PictureDecoder & ~Copyable>(
    _ thumbnail: CoarsePicture?, _ header: PictureHeader, with picture: inout Picture,
    _ whole: PictureHeader, time: Duration?
  ) -> PictureComparison.Verdict {
    guard let thumbnail else { return .undecided }
    var comparison = PictureComparison(
      with: thumbnail, orientation: header.rasterOrientation,
      pictureOrientation: whole.rasterOrientation, time: time)
    // Of a picture that fails in the midst what came counts against the thumbnail, not for it.
    try? picture.show(to: &comparison)
    return comparison.verdict
  }

  /// The thumbnail that a file's Exif block holds.
  static func showExifThumbnail(
    _ request: RenderRequest, _ format: MediaFormat, input: Int32, output: Int32,
    reply: inout RenderReply
  ) {
    guard let embedded = try? exifThumbnail(format, input: input) else { return }
    _ = try? withPictureDecoder(for: format, input: input, use: .coarsest) { picture in
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

  /// The thumbnail in a file's Exif block; nil where there is none.
  package static func exifThumbnail(
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
  mutating func take(_ turned: Orientation, from whole: PictureHeader) {
    facts.orientation = turned
    rasterOrientation = turned
    iccProfile = whole.iccProfile
    codePoints = whole.codePoints
  }
}

extension PictureHeader {
  /// Whether a thumbnail gives all that the renditions need, for all that headers tell: it is large
  /// enough, of the same shape, and its colours are told alike.
  func mayBeServed(by thumbnail: PictureHeader, _ request: RenderRequest) -> Bool {
    guard facts.frames == 1, let needed = RenditionPass(request, header: self).needed else {
      return false
    }
    let least = rasterOrientation.displayed(needed)
    let (size, whole) = (thumbnail.facts.displayedSize, facts.displayedSize)
    guard size.holds(least), whole.holds(size), size.isRounded(from: whole) else { return false }
    var warnings: [Problem] = []
    return ColourTreatment.choose(self, model: .rgb, warnings: &warnings)
      == ColourTreatment.choose(thumbnail, model: .rgb, warnings: &warnings)
  }
}

extension PixelSize {
  /// Whether no side is shorter than the other's.
  fileprivate func holds(_ other: PixelSize) -> Bool {
    width >= other.width && height >= other.height
  }

  /// Whether it is a larger size made smaller in both directions alike, but for rounding.
  fileprivate func isRounded(from larger: PixelSize) -> Bool {
    let height = Double(width) * Double(larger.height) / Double(max(1, larger.width))
    return abs(height - Double(self.height)) <= 1
  }

  /// Whether two sizes are those of one picture, give or take a pixel of the smaller and 2 %: a
  /// thumbnail of another shape has bars, or shows what was cut away later.
  func hasShape(of other: PixelSize) -> Bool {
    let height = Double(width) * Double(other.height) / Double(max(1, other.width))
    return abs(height - Double(self.height)) <= 1 + 0.02 * Double(self.height)
  }
}
