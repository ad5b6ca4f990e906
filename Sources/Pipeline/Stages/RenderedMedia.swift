internal import Media
internal import SharedCache

/// Sound or film as a job wants it.
struct RenderedMedia: Sendable {
  /// A file that notifications play.
  struct File: Sendable {
    var format: MediaFormat
    var byteCount: Int
    var hash: ContentHash
    var content: RenderedPicture.Content
  }

  var facts: MediaFacts
  /// Posters of a film, covers of sound.
  var pictures: [RenderedPicture.Rendition]
  /// Nil where the rules are against it.
  var file: File?
  var problems: [Problem]
  /// Of the posters, or of the covers.
  var hints: PictureHints?

  /// The manifest's entry, with the contents of its renditions.
  func attachment(
    of fetched: FetchedPicture, identifier: String
  ) throws(RenderFault) -> (Manifest.Attachment, [RenderedPicture.Content]) {
    let isFilm = facts.displayedSize != nil
    var source = Manifest.Source(url: fetched.url)
    source.finalURL = fetched.finalURL
    source.format = facts.format
    source.size = facts.displayedSize
    source.bytes = fetched.byteCount
    source.durationSeconds = facts.durationSeconds
    source.codecs = facts.codecs
    source.cache = fetched.cacheUse
    var renditions = pictures.map { picture in
      var rendition = Manifest.Rendition(picture)
      rendition.role = isFilm ? .poster : .picture
      return rendition
    }
    if let file { renditions.append(rendition(of: file, identifier: identifier)) }
    guard !renditions.isEmpty else {
      throw .problem(
        problems.first { $0.severity != .note }
          ?? Problem(.decode, .noPicture, "neither a picture nor a file that may be attached"))
    }
    var attachment = Manifest.Attachment(
      identifier: identifier, kind: isFilm ? .video : .audio,
      rung: fetched.cacheUse == .stale ? .stale : .full, source: source, renditions: renditions)
    attachment.take(hints)
    if file != nil { attachment.playButton = isFilm ? .overlay : .default }
    return (attachment, pictures.map(\.content) + (file.map { [$0.content] } ?? []))
  }

  /// Whether there is no file though the rules allow one of this format and these codecs: its data
  /// could not be rewritten or kept. One that is too large or encrypted is not allowed.
  func lacksFile(by rules: AttachmentRules) -> Bool {
    file == nil && rules.playable(facts.format, codecs: facts.codecs) != nil
      && !problems.contains { [.attachmentTooLarge, .unsupportedFormat].contains($0.code) }
  }

  private func rendition(of file: File, identifier: String) -> Manifest.Rendition {
    var rendition = Manifest.Rendition(
      profile: Self.profile, role: .media, format: file.format, bytes: file.byteCount,
      sha256: file.hash.hex)
    rendition.file = Manifest.fileName(
      identifier: identifier, profile: Self.profile, sha256: file.hash.hex,
      fileExtension: file.format.fileExtensions.first ?? "bin")
    rendition.size = facts.displayedSize
    rendition.options.thumbnailTime = facts.posterSeconds?.roundedToThousandth
    return rendition
  }

  /// The file is the same for all profiles.
  private static let profile = "media"
}

extension Double {
  /// The nearest thousandth: seconds to a millisecond.
  package var roundedToThousandth: Double { (self * 1000).rounded() / 1000 }
}
