internal import Download
package import Media
internal import SharedCache

/// What the `cache` command does: looks after a cache that workers may be using meanwhile.
package struct CacheCare: Sendable {
  /// The folders of a cache that are its own, by name; that of warm-ups comes with the first.
  package static let folders = SharedCache.folders + [WarmFolder.name]

  private let cache: SharedCache
  private let memory: WarmMemory

  /// Opens a cache, made where missing.
  package init(directory: String, maxBytes: Int, minFree: Int) throws(UnusableEnvironment) {
    memory = WarmMemory(cache: directory)
    do throws(CacheFailure) {
      cache = try SharedCache.open(
        directory: directory, limits: CacheLimits(maxBytes: maxBytes, minFree: minFree))
    } catch {
      throw UnusableEnvironment("\(error)")
    }
  }

  /// Counts and sizes.
  package func stats() throws(UnusableEnvironment) -> JSONValue {
    let found = try told { () throws(CacheFailure) in try cache.statistics() }
    let linked = try told { () throws(CacheFailure) in try cache.linkedCount() }
    return [
      "objects": JSONValue(found.objects.count), "objectBytes": JSONValue(found.objects.bytes),
      "originals": JSONValue(found.originals.count),
      "originalBytes": JSONValue(found.originals.bytes),
      "sources": JSONValue(found.sources), "renditions": JSONValue(found.renditions),
      "failures": JSONValue(found.failures), "poisoned": JSONValue(found.poisoned),
      "linked": JSONValue(linked), "published": JSONValue(found.published),
      "publishedBytes": JSONValue(found.publishedBytes),
      "indexBytes": JSONValue(found.indexBytes), "quarantined": JSONValue(found.quarantined),
      "freeBytes": JSONValue(found.freeBytes),
    ]
  }

  /// How many files `verify` has to check.
  package func fileCount() throws(UnusableEnvironment) -> Int {
    let found = try told { () throws(CacheFailure) in try cache.statistics() }
    return found.objects.count + found.originals.count
  }

  /// Each known source, those of a host alone where one is named.
  package func forEachSource(
    host: String?, _ body: (JSONValue) -> Void
  ) throws(UnusableEnvironment) {
    let now = WallClock.now()
    try told { () throws(CacheFailure) in
      try cache.forEachSource(host: host?.lowercased()) { listing in
        body(listing.json(at: now))
        return true
      }
    }
  }

  /// The files made from an address; none where it is not known.
  package func paths(of url: String) throws(UnusableEnvironment) -> [String] {
    try told { () throws(CacheFailure) in try cache.paths(of: Self.normalised(url)) }
  }

  /// Hashes every file and sets damaged ones aside. `progress` gets the files checked so far.
  package func verify(
    progress: (Int) -> Void
  ) throws(UnusableEnvironment) -> (report: JSONValue, isClean: Bool) {
    let found = try told { () throws(CacheFailure) in
      try cache.verify { files, _ in
        progress(files)
        return true
      }
    }
    let report: JSONValue = [
      "checked": JSONValue(found.checked), "bytes": JSONValue(found.bytes),
      "damaged": JSONValue(found.damaged.map(\.fileName)), "adopted": JSONValue(found.adopted),
      "lost": JSONValue(found.lost), "foreign": JSONValue(found.foreign),
    ]
    return (report, found.isClean)
  }

  /// Removes what nobody needs, and evicts until the limits hold.
  package func prune() throws(UnusableEnvironment) -> JSONValue {
    let found = try told { () throws(CacheFailure) in try cache.prune() }
    return [
      "evicted": JSONValue(found.evicted), "bytes": JSONValue(found.bytes),
      "remaining": JSONValue(found.remaining), "limitsHold": .bool(found.limitsHold),
      "publishedBytes": JSONValue(found.publishedBytes),
    ]
  }

  /// What a purge takes away.
  package enum Purge: Sendable, Hashable {
    case url(String)
    case host(String)
    case all
  }

  /// Forgets addresses with everything made from them alone, poison included.
  package func purge(_ what: Purge) throws(UnusableEnvironment) -> JSONValue {
    let found = try told { () throws(CacheFailure) in
      switch what {
      case .url(let url): try cache.purge(url: Self.normalised(url))
      case .host(let host): try cache.purge(host: host.lowercased())
      case .all: try cache.purgeAll()
      }
    }
    switch what {
    case .url(let url): memory.forget(url: Self.normalised(url))
    case .host(let host): memory.forget(host: host.lowercased())
    case .all: memory.forgetAll()
    }
    return [
      "sources": JSONValue(found.sources), "objects": JSONValue(found.objects),
      "failures": JSONValue(found.failures), "bytes": JSONValue(found.bytes),
    ]
  }

  private static func normalised(_ url: String) -> String { WebAddress(url)?.description ?? url }

  private func told<Result>(
    _ body: () throws(CacheFailure) -> Result
  ) throws(UnusableEnvironment) -> Result {
    do throws(CacheFailure) {
      return try body()
    } catch {
      throw UnusableEnvironment("cache: \(error)")
    }
  }
}

extension SourceListing {
  fileprivate func json(at now: Int64) -> JSONValue {
    [
      "url": .string(source.key.url), "finalURL": .string(source.finalURL),
      "format": .string(source.format.rawValue), "bytes": JSONValue(source.bytes),
      "sha256": .string(source.original.hex), "state": .string("\(source.state(at: now))"),
      "fetched": .string(Timestamp(milliseconds: source.responseTime).rfc3339),
      "lastUsed": .string(Timestamp(milliseconds: lastUsed).rfc3339),
    ]
  }
}
