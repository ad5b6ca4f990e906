internal import Files
internal import Glibc
internal import Media
internal import Sandbox
internal import SharedCache

extension RenderStage {
  /// Gives each rendition its place in the cache; one that may not or cannot be kept stays in the
  /// decoder's output. `isSettled` says that the bytes give no better ones another time. Those of
  /// sound and film are kept apart from pictures, with what is to be known again of them.
  func store(
    _ result: RenderResult, of picture: FetchedPicture, profiles: [RenditionProfile],
    isSettled: Bool = true, media: (keys: [String], details: RenderReply)? = nil
  ) async -> [RenderedPicture.Rendition] {
    let keys = media?.keys ?? profiles.map(recipe.cacheKey)
    let details = media?.details ?? result.reply.details
    let renditions = result.reply.renditions.sorted { $0.requestIndex < $1.requestIndex }
    return await blocking.run { [cache] in
      renditions.compactMap { rendition in
        let index = rendition.requestIndex
        let output = RenditionOutput(
          rendition: rendition, output: result.output, details: details)
        return output.place(
          in: picture.isStorable && isSettled || publishesObjects ? cache : nil,
          of: picture.content, key: isSettled ? keys[index] : nil, profile: profiles[index],
          room: publishesObjects ? .aboveSize : .withinLimits)
      }
    }
  }

  /// Why bytes are refused that have killed a decoder of this version before; nil for others.
  func poison(of picture: FetchedPicture) async -> Problem? {
    let decoder = decoderName(of: picture.format)
    guard
      let reason = await blocking.run({ [cache] in
        cache.poisonReason(of: picture.content, decoder: decoder)
      })
    else { return nil }
    let code: Problem.Code = reason == .crashed ? .decoderCrashed : .decoderMemory
    return Problem(
      .decode, code, "these bytes have ended a decoder before and are not fed to one again")
  }

  /// Remembers bytes that a decoder cannot bear; what a short deadline killed is not held against
  /// them.
  func remember(_ failure: ChildFailure, of picture: FetchedPicture) async {
    let reason: PoisonReason
    switch failure {
    case .crashed(signal: SIGKILL): return
    case .crashed, .sandboxViolation: reason = .crashed
    case .outOfMemory: reason = .failedAtFullLimits
    case .exited, .timedOut, .protocolViolation, .cancelled, .notStarted, .unavailable:
      return
    }
    let decoder = decoderName(of: picture.format)
    _ = try? await blocking.run { [cache] () throws(CacheFailure) in
      try cache.poison(picture.content, decoder: decoder, reason: reason)
    }
  }

  private func decoderName(of format: MediaFormat) -> String {
    "\(PictureChildren.family(of: format)?.executableName ?? "none") \(wirephotoVersion)"
  }
}

/// One rendition in a decoder's output, on its way to where it stays.
private struct RenditionOutput: Sendable {
  let rendition: RenderReply.Rendition
  let output: ChildOutput
  /// What later jobs want to know of the picture.
  let details: RenderReply

  func place(
    in cache: SharedCache?, of content: ContentHash, key: String?, profile: RenditionProfile,
    room: RoomRule
  ) -> RenderedPicture.Rendition? {
    if let cache, let stored = try? publish(in: cache, of: content, key: key, room) {
      return described(profile, hash: stored.name.hash, content: .object(stored.name))
    }
    guard let bytes = try? output.bytes(rendition.bytes),
      let hash = ContentHash.of(bytes)
    else { return nil }
    return described(profile, hash: hash, content: .output(output, rendition.bytes))
  }

  private func publish(
    in cache: SharedCache, of content: ContentHash, key: String?, _ room: RoomRule
  ) throws(CacheFailure) -> StoredObject {
    let stored = try cache.publish(
      copying: output.descriptor, range: rendition.bytes, as: .object(rendition.format),
      room: room)
    let record = RenditionRecord(
      object: stored.name, format: rendition.format, size: rendition.size,
      frames: rendition.frames, bytes: stored.bytes, details: details.encoded)
    // Without a row the picture is decoded again; the object itself is good.
    if let key { try? cache.store(record, of: content, key: key) }
    return stored
  }

  private func described(
    _ profile: RenditionProfile, hash: ContentHash, content: RenderedPicture.Content
  ) -> RenderedPicture.Rendition {
    RenderedPicture.Rendition(
      profile: profile, format: rendition.format, size: rendition.size, frames: rendition.frames,
      byteCount: rendition.bytes.count, hash: hash, content: content)
  }
}

extension RenderedPicture {
  /// What the index knows; nil unless every object is there and whole.
  init?(
    records: some Sequence<(RenditionProfile, RenditionRecord?)>, in cache: SharedCache
  ) {
    var details: RenderReply?
    var renditions: [Rendition] = []
    var problems: [Problem] = []
    var extent = RenderReply.Extent.whole
    for (profile, record) in records {
      guard let record, (try? cache.open(record.object)) != nil,
        let known = try? RenderReply(decoding: record.details), known.facts != nil
      else { return nil }
      details = known
      extent = max(extent, known.extent)
      for problem in known.problems where !problems.contains(problem) { problems.append(problem) }
      renditions.append(Rendition(record, profile))
    }
    guard let details, let facts = details.facts else { return nil }
    self.init(
      facts: facts, renditions: renditions, problems: problems, hints: details.hints,
      extent: extent)
  }
}

extension RenderReply {
  /// What is to be known again with a rendition: the facts, the hints, why it does not show all.
  fileprivate var details: RenderReply {
    RenderReply(
      facts: facts, problems: extent == .whole ? [] : problems, hints: hints, extent: extent)
  }
}
