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
    self.publishesObjects = publishesObjects
  }

  /// One rendition a profile, in the profiles' order. Of several jobs for one picture one decodes.
  package func run(
    _ picture: FetchedPicture, profiles: [RenditionProfile], deadline: Deadline
  ) async throws(RenderFault) -> RenderedPicture {
    while true {
      if let known = await recall(picture, profiles) { return known }
      guard picture.isStorable else {
        return try await decode(picture, profiles: profiles, deadline: deadline)
      }
      let boarding = try await board(picture, deadline: deadline)
      switch consume boarding {
      case .landed: continue
      case .leading(let flight) where !leadsFlights:
        flight.land()
        return try await lead(picture, profiles: profiles, deadline: deadline).get()
      case .leading(let flight):
        let result = await lead(picture, profiles: profiles, deadline: deadline)
        flight.land()
        return try result.get()
      }
    }
  }

  /// Looks up once more, now that nobody else decodes the picture, and then does.
  private func lead(
    _ picture: FetchedPicture, profiles: [RenditionProfile], deadline: Deadline
  ) async -> Result<RenderedPicture, RenderFault> {
    if let known = await recall(picture, profiles) { return .success(known) }
    do throws(RenderFault) {
      return .success(try await decode(picture, profiles: profiles, deadline: deadline))
    } catch {
      return .failure(error)
    }
  }

  private func board(
    _ picture: FetchedPicture, deadline: Deadline
  ) async throws(RenderFault) -> Boarding {
    do throws(CacheFailure) {
      return try await cache.flights.board("render \(picture.content.hex)", deadline: deadline)
    } catch {
      throw .problem(error.problem(.decode))
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
    _ picture: FetchedPicture, profiles: [RenditionProfile], deadline: Deadline
  ) async throws(RenderFault) -> RenderedPicture {
    let input = try await open(picture)
    try await checkPoison(picture)
    let result: RenderResult
    do throws(ChildFailure) {
      result = try await children.runAgainIfKilled(
        recipe.request(for: profiles), on: input, deadline: deadline)
    } catch {
      await remember(error, of: picture)
      throw .problem(error.problem)
    }
    guard let facts = result.reply.facts, result.reply.renditions.count == profiles.count else {
      throw .problem(result.reply.failure)
    }
    return RenderedPicture(
      facts: facts, renditions: await store(result, of: picture, profiles: profiles),
      problems: result.reply.problems, hints: result.reply.hints)
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

extension RenderReply {
  /// What kept a reply from holding every rendition.
  var failure: Problem {
    problems.first { $0.severity == .error }
      ?? Problem(.decode, .corrupt, "the decoder made no picture")
  }
}
