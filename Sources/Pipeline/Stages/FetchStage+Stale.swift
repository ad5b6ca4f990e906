internal import Download
internal import Media
internal import SharedCache

extension FetchStage {
  /// How long the origin may take to confirm a copy that is used meanwhile.
  private static let patience = Duration.seconds(30)

  /// Whether a copy is used at once, though no longer fresh. Who refreshes copies waits for it.
  func isUsableWhileRevalidated(_ record: SourceRecord) -> Bool {
    refresh == nil && revalidations != nil
      && freshness(of: record).state(at: WallClock.now()) == .staleWhileRevalidate
  }

  /// Has the origin asked after the job; by one of all processes, and not where too many copies are
  /// being asked for already: the next job tries again.
  func revalidateLater(_ address: WebAddress, key: SourceKey) {
    revalidations?.start(key.url) { await revalidate(address, key: key) }
  }

  /// Whether the cache has a copy that may stand in for a picture that cannot be had: it is better than
  /// any alternate.
  func hasStandIn(for address: WebAddress, _ needs: PictureNeeds?) async -> Bool {
    let key = SourceKey(url: address.description, variant: subject.accept)
    let stage = wanting(needs)
    return await blocking.run {
      switch stage.usableCopy(key)?.state(at: WallClock.now()) {
      case .staleIfError, .staleWhileRevalidate, .fresh: true
      case .mustRevalidate, .expired, nil: false
      }
    }
  }

  private func revalidate(_ address: WebAddress, key: SourceKey) async {
    // Whoever has the flight does the same.
    guard
      let boarding = try? await cache.flights.board("fetch \(key.url)", deadline: .after(.zero))
    else { return }
    switch consume boarding {
    case .landed: return
    case .leading(let flight):
      if await isStillStale(key) {
        // A failure is remembered by the download itself.
        _ = try? await download(
          address, key: key, deadline: .after(Self.patience), isForced: false)
      }
      flight.land()
    }
  }

  private func isStillStale(_ key: SourceKey) async -> Bool {
    let (record, failure) = await blocking.run { [cache] in
      (lookUp(key), cache.failure(of: key))
    }
    guard let record, failure == nil else { return false }
    return freshness(of: record).state(at: WallClock.now()) == .staleWhileRevalidate
  }
}

extension SourceRecord {
  /// The stale copy in place of an answer (RFC 5861 §4), with what kept a better one away; nil where
  /// the origin forbids it, or it is too old.
  func standIn(for problem: Problem) -> FetchedPicture? {
    switch state(at: WallClock.now()) {
    case .staleIfError, .staleWhileRevalidate, .fresh:
      var picture = FetchedPicture(self, cacheUse: .stale)
      var warning = problem
      warning.severity = .warning
      picture.problems = [warning]
      return picture
    case .mustRevalidate, .expired: return nil
    }
  }
}
