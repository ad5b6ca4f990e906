internal import Files

/// What `cache stats` tells; sizes in bytes.
package struct CacheStatistics: Sendable, Hashable {
  package var objects = AreaTotal()
  package var originals = AreaTotal()
  package var sources = 0
  package var renditions = 0
  package var failures = 0
  package var poisoned = 0
  package var published = 0
  package var publishedBytes = 0
  package var indexBytes = 0
  package var quarantined = 0
  package var freeBytes = 0
}

extension SharedCache {
  /// Counts what the cache holds; rows are counted one by one.
  package func statistics() throws(CacheFailure) -> CacheStatistics {
    var statistics = CacheStatistics()
    (statistics.objects, statistics.originals) = try index.totals()
    let rows = try index.write { database throws(DatabaseFailure) in
      try database.run(
        """
        SELECT (SELECT count(*) FROM sources), (SELECT count(*) FROM renditions),
          (SELECT count(*) FROM failures), (SELECT count(*) FROM poison),
          (SELECT count(*) FROM objects WHERE held = 2),
          (SELECT sum(bytes) FROM objects WHERE held = 2)
        """)
    }
    let counts = (rows.first ?? []).map { $0.int ?? 0 }
    guard counts.count == 6 else { return statistics }
    statistics.sources = counts[0]
    statistics.renditions = counts[1]
    statistics.failures = counts[2]
    statistics.poisoned = counts[3]
    statistics.published = counts[4]
    statistics.publishedBytes = counts[5]
    do throws(SystemCallFailure) {
      for suffix in ["", "-wal", "-shm"] {
        statistics.indexBytes += try root.status(of: CacheIndex.fileName + suffix)?.size ?? 0
      }
      try root.subdirectory(CacheLayout.quarantine).forEachName { _ in
        statistics.quarantined += 1
        return true
      }
    } catch {
      throw CacheFailure(error)
    }
    statistics.freeBytes = try freeBytes()
    return statistics
  }
  /// Objects that have a second name now, in an outbox: eviction takes them last, since that frees
  /// nothing. Looks at each file; the corresponding C structure is `stat`, its `st_nlink`.
  package func linkedCount() throws(CacheFailure) -> Int {
    var count = 0
    for shard in Self.shards {
      do throws(SystemCallFailure) {
        let folder = try root.subdirectory("\(ObjectName.Area.objects.rawValue)/\(shard)")
        try folder.forEachName { name in
          if let status = try? folder.status(of: name), status.isRegularFile, status.links > 1 {
            count += 1
          }
          return true
        }
      } catch {
        guard error.isMissing else { throw CacheFailure(error) }
      }
    }
    return count
  }
}
