internal import Download
package import Files
internal import Media
internal import SharedCache

/// Erases jobs with all that was made from them alone (contract §3).
package struct JobEraser: Sendable {
  private let directory: JobDirectory
  private let cache: SharedCache?

  /// Without a cache directory only the job directory is looked at.
  package init(_ directory: JobDirectory, cache: String?) throws(UnusableEnvironment) {
    self.directory = directory
    do throws(CacheFailure) {
      self.cache = try cache.map { path throws(CacheFailure) in
        try SharedCache.open(directory: path)
      }
    } catch {
      throw UnusableEnvironment("\(error)")
    }
  }

  /// False where nothing of the id was there.
  package func erase(_ identifier: JobIdentifier) throws(SystemCallFailure) -> Bool {
    let erased = try directory.erase(identifier)
    if let cache { purge(erased, keeping: try directory.shared(erased.sources), from: cache) }
    return erased.payloads > 0 || erased.hadResult
  }

  /// What another job's results came from as well stays: phones may still be fetching it. One that
  /// has no result yet is cost a download at most.
  private func purge(_ erased: ErasedJob, keeping shared: JobSources, from cache: SharedCache) {
    let kept = Set(shared.hashes.compactMap { ContentHash(hex: $0) })
    let memory = WarmMemory(cache: cache.directory)
    for address in erased.addresses {
      if let data = try? DataURL(address, limit: .max), let content = ContentHash.of(data.bytes) {
        _ = try? cache.purge(content: content, keeping: kept)
        continue
      }
      let url = WebAddress(address)?.description ?? address
      guard !shared.addresses.contains(url) else { continue }
      _ = try? cache.purge(url: url, keeping: kept)
      memory.forget(url: url)
    }
    // What its addresses no longer lead to, such as a film's own file.
    for hash in erased.hashes.compactMap({ ContentHash(hex: $0) }) {
      _ = try? cache.purge(file: hash, keeping: kept)
    }
  }
}

extension ErasedJob {
  /// As they are noted of other jobs.
  fileprivate var sources: JobSources {
    var sources = JobSources()
    sources.add(addresses.map { DataURL.isOne($0) ? nil : WebAddress($0)?.description ?? $0 })
    sources.hashes = hashes
    return sources
  }
}
