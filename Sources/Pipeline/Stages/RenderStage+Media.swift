internal import Files
internal import Media
internal import Sandbox
internal import SharedCache

extension RenderStage {
  /// Posters or covers, and the file where the rules allow it: out of the cache, else by one decode
  /// for all jobs.
  func runMedia(
    _ media: FetchedPicture, profiles: [RenditionProfile], rules: AttachmentRules,
    identifier: String, deadline: Deadline
  ) async throws(RenderFault) -> RenderedMedia {
    var rendered = try await onceForAll(media, deadline: deadline) {
      await recallMedia(media, profiles, rules)
    } make: { begin async throws(RenderFault) in
      try await makeMedia(media, profiles, rules, deadline: deadline, begin: begin)
    }
    for index in rendered.pictures.indices { rendered.pictures[index].attachment = identifier }
    return rendered
  }

  /// Has one child make posters, or find the cover, and put the streams into a container that
  /// notifications play.
  private func makeMedia(
    _ media: FetchedPicture, _ profiles: [RenditionProfile], _ rules: AttachmentRules,
    deadline: Deadline, begin: @escaping @Sendable () -> Void
  ) async throws(RenderFault) -> RenderedMedia {
    let input = try await open(media)
    if let problem = await poison(of: media) { throw .problem(problem) }
    var request = recipe.request(for: profiles)
    request.attachment = rules
    let result: RenderResult
    do throws(ChildFailure) {
      result = try await children.runAgainIfKilled(
        request, on: input, deadline: deadline, begin: begin)
    } catch {
      await remember(error, of: media)
      throw .problem(error.problem)
    }
    guard let facts = result.reply.media else { throw .problem(result.reply.failure) }
    var rendered = RenderedMedia(
      facts: facts, pictures: [], file: nil, problems: result.reply.problems.map(\.asWarning))
    var pictures = result
    if facts.displayedSize == nil, let cover = result.reply.cover {
      do throws(ChildFailure) {
        pictures = try await children.picture(of: cover, in: result, request, deadline: deadline)
      } catch {
        rendered.problems.append(error.problem.asWarning)
      }
    }
    rendered.hints = pictures.reply.hints
    await attachFile(result, input, media, rules, to: &rendered)
    let count = pictures.reply.renditions.count
    // With more time another frame may stand for the film.
    let isSettled =
      (count == 0 || count == profiles.count) && result.reply.extent != .hurried
      && pictures.reply.extent != .hurried
    await keep(pictures, of: media, profiles, rules, isSettled: isSettled, in: &rendered)
    return rendered
  }

  private func attachFile(
    _ result: RenderResult, _ input: LocalInput, _ media: FetchedPicture, _ rules: AttachmentRules,
    to rendered: inout RenderedMedia
  ) async {
    let facts = rendered.facts
    let part = result.reply.attachment
    // What was to be rewritten and could not be is not attached; the reply says why.
    if part == nil, !result.reply.isInputPlayable,
      rules.playable(facts.format, codecs: facts.codecs) != nil
    {
      return
    }
    let format = part?.format ?? facts.format
    let count = part?.bytes.count ?? media.byteCount
    let objections = rules.objections(format: format, bytes: count, codecs: facts.codecs)
    guard objections.isEmpty else {
      rendered.problems += objections.map(\.asWarning)
      return
    }
    let place = MediaPlace(
      format: format, part: part, output: result.output, input: input,
      cache: media.isStorable || publishesObjects ? cache : nil,
      room: publishesObjects ? .aboveSize : .withinLimits)
    rendered.file = await blocking.run { place.file() }
    if rendered.file == nil {
      rendered.problems.append(
        Problem(.store, .cacheCorrupt, "the file could not be kept", severity: .warning))
    }
  }
}

extension Problem {
  /// The same of something that does not take the attachment away.
  var asWarning: Problem {
    var problem = self
    if problem.severity == .error { problem.severity = .warning }
    return problem
  }
}

/// A playable file on its way to where it stays: the decoder's rewritten one, or the input as it is.
private struct MediaPlace: Sendable {
  let format: MediaFormat
  let part: RenderReply.Part?
  let output: ChildOutput
  let input: LocalInput
  let cache: SharedCache?
  let room: RoomRule

  /// Nil where it can be neither stored nor read.
  func file() -> RenderedMedia.File? {
    let range = part?.bytes ?? 0..<input.byteCount
    if let cache, let stored = try? publish(range, in: cache) {
      return RenderedMedia.File(
        format: format, byteCount: stored.bytes, hash: stored.name.hash,
        content: .object(stored.name))
    }
    guard let bytes = try? bytes(range), let hash = ContentHash.of(bytes) else { return nil }
    return RenderedMedia.File(
      format: format, byteCount: bytes.count, hash: hash,
      content: part.map { .output(output, $0.bytes) } ?? .input(input))
  }

  private func publish(
    _ range: Range<Int>, in cache: SharedCache
  ) throws(CacheFailure) -> StoredObject {
    part == nil
      ? try cache.publish(
        copying: input.descriptor, range: range, as: .object(format), room: room)
      : try cache.publish(
        copying: output.descriptor, range: range, as: .object(format), room: room)
  }

  private func bytes(_ range: Range<Int>) throws(SystemCallFailure) -> [UInt8] {
    part == nil
      ? try input.descriptor.read(at: range.lowerBound, count: range.count)
      : try output.bytes(range)
  }
}
