internal import Files

/// What `cache stats` tells; sizes in bytes.
package struct CacheStatistics: Sendable, Hashable {
  package var objects = AreaTotal()
  package var originals = AreaTotal()
  package var sources = 0
  package var renditions = 0
  package var failures = 0
  package var poisoned = 0
  /// Objects linked from outboxes, as far as eviction has met them.
  package var linked = 0
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
          (SELECT count(*) FROM objects WHERE held = 1),
          (SELECT count(*) FROM objects WHERE held = 2),
          (SELECT sum(bytes) FROM objects WHERE held = 2)
        """)
    }
    let counts = (rows.first ?? []).map { $0.int ?? 0 }
    guard counts.count == 7 else { return statistics }
    statistics.sources = counts[0]
    statistics.renditions = counts[1]
    statistics.failures = counts[2]
    statistics.poisoned = counts[3]
    statistics.linked = counts[4]
    statistics.published = counts[5]
    statistics.publishedBytes = counts[6]
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
}
