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
  /// `turn` says that the thumbnail is stored as the picture is, and turned as it is.
  package static func showThumbnail<Picture, Thumbnail>(
    _ request: RenderRequest, of picture: inout Picture, in thumbnail: inout Thumbnail,
    turn: Bool, output: Int32, reply: inout RenderReply
  )
  where
    Picture: PictureDecoder & ~Copyable, Thumbnail: PictureDecoder & ~Copyable
  {
    do throws(DecodeFailure) {
      let whole = try picture.readHeader(headerLimits)
      var header = try thumbnail.readHeader(thumbnailLimits)
      if turn {
        header.facts.orientation = whole.facts.orientation
        header.rasterOrientation = whole.facts.orientation
        header.iccProfile = whole.iccProfile
      }
      guard header.facts.displayedSize.hasShape(of: whole.facts.displayedSize) else { return }
      var pass = RenditionPass(request, header: header)
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

  /// The thumbnail of a JPEG file, which its Exif block holds.
  static func showExifThumbnail(
    _ request: RenderRequest, input: Int32, output: Int32, reply: inout RenderReply
  ) {
    guard let part = (try? JPEGMetadata.read(input))?.thumbnail else { return }
    var picture = JPEGDecoder(input: input)
    var thumbnail = JPEGDecoder(input: input, part: part)
    showThumbnail(
      request, of: &picture, in: &thumbnail, turn: true, output: output, reply: &reply)
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
