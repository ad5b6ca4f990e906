internal import Files
internal import Glibc
internal import Media
internal import Sandbox
internal import SharedCache

extension Manifest.Attachment {
  /// The identifier of the picture among a notification's attachments.
  package static let pictureIdentifier = "image"

  /// The picture that a candidate gave.
  init(
    _ candidate: PictureCandidate, _ fetched: FetchedPicture, _ rendered: RenderedPicture
  ) {
    var source = Manifest.Source(url: fetched.url)
    source.finalURL = fetched.finalURL
    source.format = rendered.facts.format
    source.size = rendered.facts.displayedSize
    source.bytes = fetched.byteCount
    source.durationSeconds = rendered.facts.durationSeconds
    source.codecs = rendered.facts.codecs
    source.cache = fetched.cacheUse
    self.init(
      identifier: Self.pictureIdentifier, kind: .image,
      rung: Manifest.Rung(candidate.rung, fetched.cacheUse, fetched.extent(rendered.extent)),
      source: source,
      renditions: rendered.renditions.map(Manifest.Rendition.init))
    altText = candidate.altText
    take(rendered.hints)
  }
}

extension Manifest.Attachment {
  /// Notes what pictures tell: a cut one is shown whole when it is small.
  mutating func take(_ hints: PictureHints?) {
    guard let hints else { return }
    thumbHash = Base64.encode(hints.thumbHash)
    dominantColor = hints.dominantColour?.hexadecimal
    for index in renditions.indices where renditions[index].role != .media {
      renditions[index].options.thumbnailClippingRect =
        renditions[index].isCut ? .whole : hints.square.rounded
    }
  }
}

extension FetchedPicture {
  /// How much is shown of what was asked for: not all where the download fell short, even if its
  /// bytes are a whole picture, since the origin announced more.
  fileprivate func extent(_ rendered: RenderReply.Extent) -> RenderReply.Extent {
    shortfall == nil ? rendered : max(.partial, rendered)
  }
}

extension Manifest.Rung {
  /// How good a candidate's picture is: never better than the candidate itself.
  fileprivate init(
    _ candidate: Manifest.Rung, _ cacheUse: Manifest.Source.CacheUse, _ extent: RenderReply.Extent
  ) {
    let shown: Manifest.Rung =
      switch extent {
      case .whole, .hurried: cacheUse == .stale && candidate == .full ? .stale : candidate
      case .partial: .partial
      case .embedded: .embedded
      }
    self = candidate == .icon ? .icon : shown
  }
}

extension Manifest.Rendition {
  init(_ rendition: RenderedPicture.Rendition) {
    self.init(
      profile: rendition.profile.name, role: .picture, format: rendition.format,
      bytes: rendition.byteCount, sha256: rendition.hash.hex)
    file = rendition.fileName
    size = rendition.size
    frames = rendition.frames
    isCut = rendition.profile.fit == .cover
    decodedBytes = rendition.size.area.map { $0 * 4 * max(1, rendition.frames) }
  }
}

extension RenderedPicture.Rendition {
  /// The name in the outbox folder.
  var fileName: String {
    Manifest.fileName(
      identifier: attachment, profile: profile.name, sha256: hash.hex,
      fileExtension: format.fileExtensions.first ?? "bin")
  }

  func outboxFile(cache: SharedCache) -> OutboxFile {
    content.outboxFile(named: fileName, cache: cache)
  }
}

extension RenderedPicture.Content {
  /// How the file gets into an outbox folder: as a link of the cache's, or written anew.
  func outboxFile(named fileName: String, cache: SharedCache) -> OutboxFile {
    OutboxFile(name: fileName) { folder, name throws(Problem) in
      switch self {
      case .object(let object): try Self.link(object, of: cache, into: folder, as: name)
      case .output(let output, let range):
        try Self.write(into: folder, as: name) { () throws(SystemCallFailure) in
          try output.bytes(range)
        }
      case .input(let input):
        try Self.write(into: folder, as: name) { () throws(SystemCallFailure) in
          try input.descriptor.read(at: 0, count: input.byteCount)
        }
      }
    }
  }

  private static func link(
    _ object: ObjectName, of cache: SharedCache, into folder: borrowing Directory, as name: String
  ) throws(Problem) {
    do throws(CacheFailure) {
      _ = try cache.link(object, into: folder, as: name)
    } catch {
      throw error.problem(.publish)
    }
  }

  private static func write(
    into folder: borrowing Directory, as name: String,
    _ bytes: () throws(SystemCallFailure) -> [UInt8]
  ) throws(Problem) {
    do throws(SystemCallFailure) {
      let file = try folder.open(name, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o440)
      try file.setPermissions(0o440)
      try file.write(try bytes())
      try file.sync()
    } catch {
      throw CacheFailure(error).problem(.publish)
    }
  }
}
