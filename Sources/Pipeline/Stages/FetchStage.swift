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
  private(set) var subject = Subject.picture
  /// How much of a file is wanted; nil for all.
  private(set) var needs: PictureNeeds?
  /// Where hosts that ask to be left alone are noted: for who can wait, and then asks only once.
  var pauses: HostPauses?
  /// Nil where a copy is good as long as it is fresh.
  var refresh: Refresh?
  /// Who asks again for copies that are used while they are stale; nil where nobody does.
  var revalidations: Revalidations?
  /// Is told what the first bytes of a download are.
  var notesFormat: (@Sendable (MediaFormat) -> Void)?
  /// Where downloads go that outlast their jobs; nil where they are ended.
  var lateDownloads: LateDownloads?
  /// How long downloads from each host usually take.
  let paces = HostPaces()
  /// The decode that the downloads are for; nil where they are for none that has a deadline.
  private(set) var admission: DecodeAdmission?
  /// What operators lay down for single hosts; nil where nobody does.
  var settings: CurrentSettings?

  /// Which fresh copies are asked for all the same; milliseconds.
  struct Refresh: Sendable, Hashable {
    /// Those that stop being fresh within so long…
    var horizon: Int64
    /// …unless they came after this time.
    var since: Int64
  }

  /// The same for something else.
  func fetching(_ subject: Subject) -> FetchStage {
    var stage = self
    stage.subject = subject
    return stage
  }

  /// The same, for a decode that has a place in the decoders' schedule.
  func admitted(by admission: DecodeAdmission?) -> FetchStage {
    var stage = self
    stage.admission = admission
    return stage
  }

  /// The same, for profiles that need no more than `needs` of a picture.
  func wanting(_ needs: PictureNeeds?) -> FetchStage {
    var stage = self
    stage.needs = needs
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

  /// Fetches a picture, no further than `needs` where they are told. `ignoringCache` asks the origin
  /// without condition: for when the index knows bytes that are gone. With `acceptsPartial` the
  /// beginning of a picture whose download failed is a result, with its shortfall. `race` is that of
  /// the candidates of which this is one.
  package func run(
    _ address: WebAddress, deadline: Deadline, ignoringCache: Bool = false,
    acceptsPartial: Bool = false, needs: PictureNeeds? = nil, race: RaceOutcome? = nil
  ) async throws(Problem) -> FetchedPicture {
    try await wanting(needs).obtain(
      address, deadline: deadline, ignoringCache: ignoringCache, acceptsPartial: acceptsPartial,
      race: race)
  }

  private func obtain(
    _ address: WebAddress, deadline: Deadline, ignoringCache: Bool, acceptsPartial: Bool,
    race: RaceOutcome?
  ) async throws(Problem) -> FetchedPicture {
    try checkHost(address)
    let key = SourceKey(url: address.description, variant: subject.accept)
    let asked = WallClock.now()
    if !ignoringCache, let hit = try await recall(key, as: .hit) {
      if hit.isToBeRevalidated { admitted(by: nil).revalidateLater(address, key: key) }
      return try hit.whole(orPartial: acceptsPartial)
    }
    if await blocking.run({ [cache] in cache.isUncacheable(key) }) {
      return try await lead(address, key: key, deadline: deadline, isForced: ignoringCache)
        .get().whole(orPartial: acceptsPartial)
    }
    while true {
      let boarding = try await board(key, address: address, deadline: deadline)
      switch consume boarding {
      case .none:
        let problem = Problem(
          .download, .downloadTimeout, "another download of the address did not end in time",
          url: address.redacted)
        guard let copy = await standIn(of: key, for: problem) else { throw problem }
        return try copy.whole(orPartial: acceptsPartial)
      case .some(.landed):
        if let hit = try await recall(key, as: .coalesced, since: asked) {
          return try hit.whole(orPartial: acceptsPartial)
        }
      case .some(.leading(let flight)):
        let landing = Landing(flight, in: race)
        let result = await lead(
          address, key: key, deadline: deadline, isForced: ignoringCache, landing)
        if !landing.isPostponed { landing.land() }
        return try result.get().whole(orPartial: acceptsPartial)
      }
    }
  }

  /// Looks up once more, now that nobody else downloads the address, and then does.
  private func lead(
    _ address: WebAddress, key: SourceKey, deadline: Deadline, isForced: Bool,
    _ landing: Landing? = nil
  ) async -> Result<FetchedPicture, Problem> {
    do throws(Problem) {
      if !isForced, let hit = try await recall(key, as: .coalesced) { return .success(hit) }
      return .success(
        try await download(
          address, key: key, deadline: deadline, isForced: isForced, landing))
    } catch {
      return .failure(error)
    }
  }

  /// A fresh copy, or a failure that is still remembered; a stale one where the origin allows it
  /// (RFC 5861), else the beginning that came before the failure.
  ///
  /// An answer that came `since` the caller asked is good for it, fresh or not: it is the one that
  /// would have been asked for.
  private func recall(
    _ key: SourceKey, as cacheUse: Manifest.Source.CacheUse, since asked: Int64 = .max
  ) async throws(Problem) -> FetchedPicture? {
    let (record, failure) = await blocking.run { [cache] in
      (lookUp(key), cache.failure(of: key))
    }
    let refusal = record.flatMap { subject.refusal(of: $0) }
    if let record, record.responseTime >= asked || isUsable(record) {
      if let refusal { throw refusal.about(key) }
      return FetchedPicture(record, cacheUse: cacheUse)
    }
    if let record, refusal == nil, isUsableWhileRevalidated(record) {
      var picture = FetchedPicture(record, cacheUse: cacheUse)
      picture.isToBeRevalidated = failure == nil
      return picture
    }
    guard let failure else { return nil }
    let problem = Problem(
      .download, failure.code, "\(failure.message) (remembered)", url: redacted(key.url))
    if failure.kind != .gone, refusal == nil, let stale = record?.standIn(for: problem) {
      return stale
    }
    guard subject == .picture,
      let beginning = await beginning(after: failure, key: key, cacheUse, problem)
    else { throw problem }
    return beginning
  }

  /// What a remembered failure left of a picture, or what had been kept of it before.
  private func beginning(
    after failure: FailureRecord, key: SourceKey, _ cacheUse: Manifest.Source.CacheUse,
    _ problem: Problem
  ) async -> FetchedPicture? {
    await blocking.run { [cache] in
      FetchedPicture(beginningOf: failure, in: cache, url: key.url, cacheUse, problem)
        .orLonger(failure.kind == .gone ? nil : beginning(of: key, for: problem))
    }
  }

  private func isUsable(_ record: SourceRecord) -> Bool {
    let now = WallClock.now()
    let freshness = freshness(of: record)
    guard freshness.state(at: now) == .fresh else { return false }
    guard let refresh, record.responseTime < refresh.since else { return true }
    return freshness.state(at: now + refresh.horizon) == .fresh
  }

  /// What is flown for an address, whatever it is wanted as.
  static func flight(of key: SourceKey) -> String { "fetch \(key.url)" }

  /// Nil when another's flight has not ended by the deadline.
  private func board(
    _ key: SourceKey, address: WebAddress, deadline: Deadline
  ) async throws(Problem) -> Boarding? {
    do throws(CacheFailure) {
      return try await throughShortage(until: deadline) { () async throws(CacheFailure) in
        try await cache.flights.board(Self.flight(of: key), deadline: deadline)
      }
    } catch .deadlineExceeded {
      return nil
    } catch {
      throw error.problem(url: address.redacted)
    }
  }

  private func redacted(_ url: String) -> String { WebAddress(url)?.redacted ?? "" }
}

extension FetchedPicture {
  /// The same, unless it is the beginning of a failed download and only the whole is wanted.
  fileprivate func whole(orPartial acceptsPartial: Bool) throws(Problem) -> FetchedPicture {
    if let shortfall, !acceptsPartial { throw shortfall }
    return self
  }

  /// What a record of the index tells.
  init(_ record: SourceRecord, cacheUse: Manifest.Source.CacheUse) {
    self.init(
      url: record.key.url, finalURL: record.finalURL, content: record.original,
      byteCount: record.bytes, format: record.format, cacheUse: cacheUse, body: .cached)
    isBeginning = record.key == record.key.beginning
    contentType = isBeginning ? nil : record.contentType
  }
}

extension SourceRecord {
  /// As the origin said; of a whole answer alone.
  var contentType: String? { facts.isEmpty ? nil : String(decoding: facts, as: UTF8.self) }
}

extension CacheFailure {
  /// The failure in the contract's terms.
  func problem(_ stage: Problem.Stage = .store, url: String? = nil) -> Problem {
    let code: Problem.Code =
      switch self {
      case .diskFull, .noRoom, .reserveReached: .diskFull
      case .deadlineExceeded: .deadlineExceeded
      // Nothing is wrong with disk or cache: the worker ran short of descriptors or memory.
      case .systemCall(let failure) where failure.isPassing: .noPicture
      default: .cacheCorrupt
      }
    return Problem(stage, code, description, url: url)
  }
}
