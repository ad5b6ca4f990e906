internal import Files
internal import Glibc
internal import Media
internal import Sandbox
internal import SharedCache

extension Manifest.Attachment {
  /// The identifier of the picture among a notification's attachments.
  static let pictureIdentifier = "image"

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
      rung: fetched.cacheUse == .stale ? .stale : candidate.rung, source: source,
      renditions: rendered.renditions.map(Manifest.Rendition.init))
    altText = candidate.altText
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
    decodedBytes = rendition.size.area.map { $0 * 4 * max(1, rendition.frames) }
  }
}

extension RenderedPicture.Rendition {
  /// The name in the outbox folder.
  var fileName: String {
    Manifest.fileName(
      identifier: Manifest.Attachment.pictureIdentifier, profile: profile.name, sha256: hash.hex,
      fileExtension: format.fileExtensions.first ?? "bin")
  }

  /// How the file gets into an outbox folder: as a link of the cache's, or written anew.
  func outboxFile(cache: SharedCache) -> OutboxFile {
    OutboxFile(name: fileName) { folder, name throws(Problem) in
      switch content {
      case .object(let object): try Self.link(object, of: cache, into: folder, as: name)
      case .output(let output, let range): try Self.write(output, range, into: folder, as: name)
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
    _ output: ChildOutput, _ range: Range<Int>, into folder: borrowing Directory, as name: String
  ) throws(Problem) {
    do throws(SystemCallFailure) {
      let file = try folder.open(name, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o440)
      try file.setPermissions(0o440)
      try file.write(try output.bytes(range))
      try file.sync()
    } catch {
      throw Problem(.publish, error.isDiskFull ? .diskFull : .cacheCorrupt, "\(error)")
    }
  }
}
