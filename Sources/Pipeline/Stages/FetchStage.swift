package import Download
internal import Files
package import Media
package import SharedCache

/// From an address to bytes known by their content: out of the cache while they are fresh, else by
/// one download at a time for all processes.
package struct FetchStage: Sendable {
  let cache: SharedCache
  let downloader: Downloader
  let blocking: BlockingCalls
  let byteLimit: Int
  /// Whether sound and film are fetched in place of pictures.
  private(set) var isForMedia = false
  /// Where hosts that ask to be left alone are noted: for who can wait, and then asks only once.
  var pauses: HostPauses?
  /// Nil where a copy is good as long as it is fresh.
  var refresh: Refresh?
  /// Who asks again for copies that are used while they are stale; nil where nobody does.
  var revalidations: Revalidations?

  /// Which fresh copies are asked for all the same; milliseconds.
  struct Refresh: Sendable, Hashable {
    /// Those that stop being fresh within so long…
    var horizon: Int64
    /// …unless they came after this time.
    var since: Int64
  }

  /// What pictures are asked for; what we decode best comes first.
  static let accept =
    "image/jpeg,image/png,image/webp,image/gif,image/avif,image/heic;q=0.9,*/*;q=0.1"

  /// What sound and film are asked for.
  static let acceptOfMedia = "video/mp4,video/*,audio/mpeg,audio/mp4,audio/*;q=0.9,*/*;q=0.1"

  var accept: String { isForMedia ? Self.acceptOfMedia : Self.accept }

  /// The same for sound and film.
  var forMedia: FetchStage {
    var stage = self
    stage.isForMedia = true
    return stage
  }

  package init(
    cache: SharedCache, downloader: Downloader, blocking: BlockingCalls, byteLimit: Int
  ) {
    self.cache = cache
    self.downloader = downloader
    self.blocking = blocking
    self.byteLimit = byteLimit
  }

  /// Fetches a picture. `ignoringCache` asks the origin without condition: for when the index knows
  /// bytes that are gone.
  package func run(
    _ address: WebAddress, deadline: Deadline, ignoringCache: Bool = false
  ) async throws(Problem) -> FetchedPicture {
    let key = SourceKey(url: address.description, variant: accept)
    if !ignoringCache, let hit = try await recall(key, as: .hit) {
      if hit.isToBeRevalidated { revalidateLater(address, key: key) }
      return hit
    }
    while true {
      let boarding = try await board(key, address: address, deadline: deadline)
      switch consume boarding {
      case .landed:
        if let hit = try await recall(key, as: .coalesced) { return hit }
      case .leading(let flight):
        let result = await lead(address, key: key, deadline: deadline, isForced: ignoringCache)
        flight.land()
        return try result.get()
      }
    }
  }

  /// Looks up once more, now that nobody else downloads the address, and then does.
  private func lead(
    _ address: WebAddress, key: SourceKey, deadline: Deadline, isForced: Bool
  ) async -> Result<FetchedPicture, Problem> {
    do throws(Problem) {
      if !isForced, let hit = try await recall(key, as: .coalesced) { return .success(hit) }
      return .success(
        try await download(address, key: key, deadline: deadline, isForced: isForced))
    } catch {
      return .failure(error)
    }
  }

  /// A fresh copy, or a failure that is still remembered; a stale one where the origin allows it
  /// (RFC 5861).
  private func recall(
    _ key: SourceKey, as cacheUse: Manifest.Source.CacheUse
  ) async throws(Problem) -> FetchedPicture? {
    let (record, failure) = await blocking.run { [cache] in
      (cache.lookUp(key), cache.failure(of: key))
    }
    if let record, isUsable(record) {
      return FetchedPicture(record, cacheUse: cacheUse)
    }
    if let record, isUsableWhileRevalidated(record) {
      var picture = FetchedPicture(record, cacheUse: cacheUse)
      picture.isToBeRevalidated = failure == nil
      return picture
    }
    guard let failure else { return nil }
    let problem = Problem(
      .download, failure.code, "\(failure.message) (remembered)", url: redacted(key.url))
    if failure.kind != .gone, let stale = record?.standIn(for: problem) { return stale }
    throw problem
  }

  private func isUsable(_ record: SourceRecord) -> Bool {
    let now = WallClock.now()
    guard record.state(at: now) == .fresh else { return false }
    guard let refresh, record.responseTime < refresh.since else { return true }
    return record.state(at: now + refresh.horizon) == .fresh
  }

  private func board(
    _ key: SourceKey, address: WebAddress, deadline: Deadline
  ) async throws(Problem) -> Boarding {
    do throws(CacheFailure) {
      return try await cache.flights.board("fetch \(key.url)", deadline: deadline)
    } catch .deadlineExceeded {
      throw Problem(
        .download, .downloadTimeout, "another download of the address did not end in time",
        url: address.redacted)
    } catch {
      throw error.problem(url: address.redacted)
    }
  }

  private func redacted(_ url: String) -> String { WebAddress(url)?.redacted ?? "" }
}

extension FetchedPicture {
  /// What a record of the index tells.
  init(_ record: SourceRecord, cacheUse: Manifest.Source.CacheUse) {
    self.init(
      url: record.key.url, finalURL: record.finalURL, content: record.original,
      byteCount: record.bytes, format: record.format, cacheUse: cacheUse, body: .cached)
  }
}

extension CacheFailure {
  /// The failure in the contract's terms.
  func problem(_ stage: Problem.Stage = .store, url: String? = nil) -> Problem {
    let code: Problem.Code =
      switch self {
      case .diskFull: .diskFull
      case .deadlineExceeded: .deadlineExceeded
      // Nothing is wrong with disk or cache: the worker ran short of descriptors or memory.
      case .systemCall(let failure) where failure.isPassing: .noPicture
      default: .cacheCorrupt
      }
    return Problem(stage, code, description, url: url)
  }
}
