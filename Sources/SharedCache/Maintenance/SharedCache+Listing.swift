/// A source as `cache list` shows it.
package struct SourceListing: Sendable, Hashable {
  package var source: SourceRecord
  /// The full hour of the last use, milliseconds since 1970.
  package var lastUsed: Int64
}

extension SharedCache {
  static let pageSize = 500

  /// Calls `body` with each known source, in the order of storing, until it answers false; only
  /// those of a host where one is named.
  package func forEachSource(
    host: String? = nil, _ body: (SourceListing) -> Bool
  ) throws(CacheFailure) {
    var last: Int64 = 0
    while true {
      let rows = try index.sourcePage(host: host, after: last, count: Self.pageSize)
      guard let end = rows.last?.last?.integer else { return }
      for row in rows {
        guard let source = SourceRecord(row), let lastUsed = row[13].integer else { continue }
        if !body(SourceListing(source: source, lastUsed: lastUsed)) { return }
      }
      last = end
    }
  }

  /// The sources that stop being fresh from one time on and before another, soonest first: what a
  /// warm-up refreshes.
  package func sources(
    expiringFrom start: Int64 = .min, before time: Int64, limit: Int
  ) throws(CacheFailure) -> [SourceRecord] {
    let rows = try index.write { database throws(DatabaseFailure) in
      try database.run(
        """
        SELECT \(SourceRecord.columns), sum FROM sources WHERE expires >= ? AND expires < ?
        ORDER BY expires LIMIT ?
        """, [.integer(start), .integer(time), SQLValue(limit)])
    }
    return rows.compactMap(SourceRecord.init)
  }

  /// The files made from an address, renditions first, as paths; the original where it is kept.
  package func paths(of url: String) throws(CacheFailure) -> [String] {
    var paths: [String] = []
    for source in try index.sources(url: url) {
      var names = try index.renditionObjects(of: source.original)
      names.append(ObjectName(original: source.original))
      for name in names where try objects.status(of: name) != nil {
        paths.append("\(directory)/\(name.relativePath)")
      }
    }
    return paths
  }
}

extension CacheIndex {
  /// Rows of `SourceRecord.columns`, checksum, last use and row number.
  func sourcePage(
    host: String?, after id: Int64, count: Int
  ) throws(CacheFailure) -> [[SQLValue]] {
    let columns = "\(SourceRecord.columns), sum, lastUsed, id"
    return try write { database throws(DatabaseFailure) in
      guard let host else {
        return try database.run(
          "SELECT \(columns) FROM sources WHERE id > ? ORDER BY id LIMIT ?",
          [.integer(id), SQLValue(count)])
      }
      return try database.run(
        "SELECT \(columns) FROM sources WHERE host = ? AND id > ? ORDER BY id LIMIT ?",
        [.text(host), .integer(id), SQLValue(count)])
    }
  }

  /// What is known of an address, whatever the Accept.
  func sources(url: String) throws(CacheFailure) -> [SourceRecord] {
    let rows = try write { database throws(DatabaseFailure) in
      try database.run(
        "SELECT \(SourceRecord.columns), sum FROM sources WHERE host = ? AND url = ?",
        [.text(SourceKey.host(of: url)), .text(url)])
    }
    return rows.compactMap(SourceRecord.init)
  }

  func renditionObjects(of original: ContentHash) throws(CacheFailure) -> [ObjectName] {
    let rows = try write { database throws(DatabaseFailure) in
      try database.run(
        "SELECT DISTINCT object, extension FROM renditions WHERE original = ?",
        [SQLValue(original)])
    }
    return rows.compactMap { ObjectName(hash: $0[0], extension: $0[1]) }
  }
}
