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
    if let cache {
      Self.purge(erased, from: cache)
      let memory = WarmMemory(cache: cache.directory)
      for address in erased.addresses {
        memory.forget(url: WebAddress(address)?.description ?? address)
      }
    }
    return erased.payloads > 0 || erased.hadResult
  }

  /// Addresses and bytes that another job asks for as well cost that job a download at most.
  private static func purge(_ erased: ErasedJob, from cache: SharedCache) {
    for address in erased.addresses {
      if let data = try? DataURL(address, limit: .max), let content = ContentHash.of(data.bytes) {
        _ = try? cache.purge(content: content)
      } else {
        _ = try? cache.purge(url: WebAddress(address)?.description ?? address)
      }
    }
    // What its addresses no longer lead to, such as a film's own file.
    for hash in erased.hashes.compactMap({ ContentHash(hex: $0) }) {
      _ = try? cache.purge(file: hash)
    }
  }
}
