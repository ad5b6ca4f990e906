internal import Media
internal import Sandbox
internal import SharedCache

extension RenderStage {
  /// Posters or covers and the file out of the cache; nil unless all are there and whole.
  func recallMedia(
    _ media: FetchedPicture, _ profiles: [RenditionProfile], _ rules: AttachmentRules
  ) async -> RenderedMedia? {
    let keys = profiles.map { recipe.cacheKey(for: $0, rules: rules) }
    let fileKey = RenditionRecipe.fileKey(rules)
    return await blocking.run { [cache] in
      let records = cache.renditions(of: media.content, keys: keys + [fileKey])
      return RenderedMedia(
        pictures: zip(profiles, keys.map { records[$0] }), file: records[fileKey], in: cache)
    }
  }

  /// Stores posters or covers, and notes with them and with the file what became of the other.
  func keep(
    _ pictures: RenderResult, of media: FetchedPicture, _ profiles: [RenditionProfile],
    _ rules: AttachmentRules, isSettled: Bool, in rendered: inout RenderedMedia
  ) async {
    let isSettled = isSettled && rendered.isSettled
    var details = rendered.details
    details.renditions = pictures.reply.renditions
    rendered.pictures = await store(
      pictures, of: media, profiles: profiles, isSettled: isSettled,
      media: (profiles.map { recipe.cacheKey(for: $0, rules: rules) }, details))
    guard isSettled, media.isStorable, let file = rendered.file,
      case .object(let object) = file.content
    else { return }
    let record = RenditionRecord(
      object: object, format: file.format,
      size: rendered.facts.displayedSize ?? PixelSize(width: 0, height: 0), frames: 1,
      bytes: file.byteCount, details: details.encoded)
    // Without a row the file is made again; the object itself is good.
    try? await blocking.run { [cache] () throws(CacheFailure) in
      try cache.store(record, of: media.content, key: RenditionRecipe.fileKey(rules))
    }
  }
}

extension RenderedMedia {
  /// What the index knows; nil unless every object is there and whole.
  fileprivate init?(
    pictures: some Sequence<(RenditionProfile, RenditionRecord?)>, file: RenditionRecord?,
    in cache: SharedCache
  ) {
    let records = pictures.map(\.1) + [file]
    let known = records.lazy.compactMap { $0 }
      .compactMap { try? RenderReply(decoding: $0.details) }.first { $0.media != nil }
    guard let known, let facts = known.media else { return nil }
    self.init(facts: facts, pictures: [], file: nil, problems: known.problems, hints: known.hints)
    if !known.renditions.isEmpty {
      for (profile, record) in pictures {
        guard let record, cache.holds(record) else { return nil }
        self.pictures.append(RenderedPicture.Rendition(record, profile))
      }
    }
    guard known.attachment != nil else { return }
    guard let file, cache.holds(file) else { return nil }
    self.file = File(
      format: file.format, byteCount: file.bytes, hash: file.object.hash,
      content: .object(file.object))
  }

  /// Whether the same bytes give the same another time: not where memory or room was short.
  fileprivate var isSettled: Bool {
    let passing: [Problem.Code] = [
      .decoderCrashed, .decoderMemory, .decoderTimeout, .deadlineExceeded, .cacheCorrupt, .diskFull,
    ]
    return !problems.contains { passing.contains($0.code) }
  }

  /// What is to be known again with a poster, a cover or the file.
  fileprivate var details: RenderReply {
    RenderReply(
      media: facts, attachment: file.map { .init(format: $0.format, bytes: 0..<$0.byteCount) },
      problems: problems, hints: hints)
  }
}

extension SharedCache {
  fileprivate func holds(_ record: RenditionRecord) -> Bool {
    (try? open(record.object)) != nil
  }
}

extension RenderedPicture.Rendition {
  /// A picture that the index knows.
  init(_ record: RenditionRecord, _ profile: RenditionProfile) {
    self.init(
      profile: profile, format: record.format, size: record.size, frames: record.frames,
      byteCount: record.bytes, hash: record.object.hash, content: .object(record.object))
  }
}
