internal import Files
package import Media
internal import Sandbox
package import SharedCache

/// From bytes to bounded pictures: those that the cache has, and the others by one decode.
package struct RenderStage: Sendable {
  let cache: SharedCache
  let children: PictureChildren
  let blocking: BlockingCalls
  package var recipe: RenditionRecipe
  /// Whether every rendition must become an object, since phones fetch it from there.
  let publishesObjects: Bool
  /// Whether other processes wait for a decode of ours: not for one that is in no hurry.
  var leadsFlights = true

  package init(
    cache: SharedCache, children: PictureChildren, blocking: BlockingCalls,
    recipe: RenditionRecipe, publishesObjects: Bool = false
  ) {
    self.cache = cache
    self.children = children
    self.blocking = blocking
    self.recipe = recipe
    self.recipe.acceptsPartial = true
    self.recipe.leastVisible = Self.leastVisible
    self.recipe.embedded = .asFallback
    self.publishesObjects = publishesObjects
  }

  /// The share of a picture that a partial one must show (contract §6).
  private static let leastVisible = 0.5
  /// What remains for the thumbnail that a file carries when its picture takes too long to decode.
  private static let thumbnailTime = Duration.milliseconds(150)

  /// One rendition a profile, in the profiles' order. Of several jobs for one picture one decodes.
  package func run(
    _ picture: FetchedPicture, profiles: [RenditionProfile], deadline: Deadline
  ) async throws(RenderFault) -> RenderedPicture {
    try await onceForAll(picture, deadline: deadline) {
      await recall(picture, profiles)
    } make: { begin async throws(RenderFault) in
      try await decode(picture, profiles: profiles, deadline: deadline, begin: begin)
    }
  }

  /// The renditions out of the cache; nil unless all are there and whole.
  private func recall(
    _ picture: FetchedPicture, _ profiles: [RenditionProfile]
  ) async -> RenderedPicture? {
    let keys = profiles.map(recipe.cacheKey)
    return await blocking.run { [cache] in
      let records = cache.renditions(of: picture.content, keys: keys)
      return RenderedPicture(records: zip(profiles, keys.map { records[$0] }), in: cache)
    }
  }

  private func decode(
    _ picture: FetchedPicture, profiles: [RenditionProfile], deadline: Deadline,
    begin: @escaping @Sendable () -> Void
  ) async throws(RenderFault) -> RenderedPicture {
    let input = try await open(picture)
    var result: RenderResult
    var problems: [Problem] = []
    var isSettled = true
    do throws(Undecoded) {
      result = try await decode(picture, input, profiles, deadline: deadline, begin: begin)
    } catch {
      result = try await embedded(
        in: input, of: picture, profiles, deadline: deadline, insteadOf: error)
      problems = [error.problem.asWarning.adding(result.reply.standing)]
      isSettled = false
    }
    result.reply.problems += problems
    guard let facts = result.reply.facts, result.reply.renditions.count == profiles.count else {
      throw .problem(result.reply.failure)
    }
    // Another worker's limits may allow for the picture itself, and more time for all its detail.
    isSettled = isSettled && ![.embedded, .hurried].contains(result.reply.extent)
    return RenderedPicture(
      facts: facts,
      renditions: await store(result, of: picture, profiles: profiles, isSettled: isSettled),
      problems: result.reply.problems, hints: result.reply.hints, extent: result.reply.extent)
  }

  private func decode(
    _ picture: FetchedPicture, _ input: LocalInput, _ profiles: [RenditionProfile],
    deadline: Deadline, begin: @escaping @Sendable () -> Void
  ) async throws(Undecoded) -> RenderResult {
    if let problem = await poison(of: picture) { throw Undecoded(problem: problem) }
    var request = recipe.request(for: profiles)
    if picture.isHurried { request.reading = .leastEnough }
    let hasTime = deadline.remaining > Self.thumbnailTime * 3
    let end =
      hasTime && picture.format.mayCarryThumbnail
      ? deadline.reserving(Self.thumbnailTime) : deadline
    do throws(ChildFailure) {
      return try await children.runAgainIfKilled(
        request, on: input, deadline: end, begin: begin)
    } catch {
      await remember(error, of: picture)
      throw Undecoded(problem: error.problem, wasForTime: error.wasForTime(by: end))
    }
  }

  func open(_ picture: FetchedPicture) async throws(RenderFault) -> LocalInput {
    if case .held(let input) = picture.body { return input }
    do throws(CacheFailure) {
      return try await blocking.run { [cache] () throws(CacheFailure) in
        try cache.input(of: picture.content)
      }
    } catch .missing, .damaged {
      throw .originalMissing
    } catch {
      throw .problem(error.problem())
    }
  }
}

extension SharedCache {
  /// An original, as children read it. Throws as `open`.
  func input(of content: ContentHash) throws(CacheFailure) -> LocalInput {
    let file = try open(ObjectName(original: content))
    do throws(SystemCallFailure) {
      return try LocalInput(adopting: file)
    } catch {
      throw CacheFailure(error)
    }
  }
}

extension MediaFormat {
  /// Whether files of the format may hold a thumbnail beside their picture.
  var mayCarryThumbnail: Bool {
    [.jpeg, .heic, .avif, .png, .webp].contains(self)
  }
}

extension RenderReply {
  /// What kept a reply from holding every rendition.
  var failure: Problem {
    problems.first { $0.severity == .error }
      ?? Problem(.decode, .corrupt, "the decoder made no picture")
  }
}
