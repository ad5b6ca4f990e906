internal import Media
internal import SharedCache

extension RenderStage {
  /// What the cache has of some bytes; else what one of several jobs for them makes, while the others
  /// wait and look again.
  func onceForAll<Rendered: Sendable>(
    _ picture: FetchedPicture, deadline: Deadline, recall: () async -> Rendered?,
    make: (_ begin: @escaping @Sendable () -> Void) async throws(RenderFault) -> Rendered
  ) async throws(RenderFault) -> Rendered {
    while true {
      if let known = await recall() { return known }
      guard picture.isStorable else { return try await make({}) }
      let boarding = try await board(picture, deadline: deadline)
      switch consume boarding {
      case .landed: continue
      case .leading(let flight) where !leadsFlights:
        flight.land()
        return try await lead(recall) { () async throws(RenderFault) in try await make({}) }.get()
      case .leading(let flight):
        let begin = flight.begin
        let result = await hurrying(Self.flight(of: picture)) {
          await lead(recall) { () async throws(RenderFault) in try await make(begin) }
        }
        flight.land()
        return try result.get()
      }
    }
  }

  private static let lookInterval = Duration.milliseconds(50)

  private static func flight(of picture: FetchedPicture) -> String {
    "render \(picture.content.hex)"
  }

  /// Runs `body` with the urgency of those who wait for the flight meanwhile.
  private func hurrying<Value: Sendable>(
    _ flight: String, _ body: () async -> Value
  ) async -> Value {
    let urgency = DecodeUrgency()
    let flights = cache.flights
    let watch = Task {
      while (try? await Task.sleep(for: Self.lookInterval)) != nil {
        if let earliest = flights.earliestWaiter(of: flight), !earliest.hasPassed {
          urgency.note(earliest)
        }
      }
    }
    defer { watch.cancel() }
    return await DecodeUrgency.$current.withValue(urgency) { await body() }
  }

  /// Looks up once more, now that nobody else decodes the picture, and then does.
  private func lead<Rendered: Sendable>(
    _ recall: () async -> Rendered?, _ make: () async throws(RenderFault) -> Rendered
  ) async -> Result<Rendered, RenderFault> {
    if let known = await recall() { return .success(known) }
    do throws(RenderFault) {
      return .success(try await make())
    } catch {
      return .failure(error)
    }
  }

  private func board(
    _ picture: FetchedPicture, deadline: Deadline
  ) async throws(RenderFault) -> Boarding {
    let key = Self.flight(of: picture)
    do throws(CacheFailure) {
      return try await cache.flights.board(key, deadline: deadline)
    } catch {
      if case .deadlineExceeded = error, !Task.isCancelled, cache.flights.hasBegun(key) {
        throw .problem(
          Problem(
            .decode, .decoderTimeout,
            "a decoder at work on these bytes for another job took"
              + " longer than this one had"))
      }
      throw .problem(error.problem(.decode))
    }
  }
}
