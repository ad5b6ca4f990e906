internal import Files

/// What a purge removed.
package struct PurgeReport: Sendable, Hashable {
  package var sources = 0
  /// Failures that were remembered.
  package var failures = 0
  package var objects = 0
  package var bytes = 0

  package init(sources: Int = 0, objects: Int = 0, bytes: Int = 0) {
    self.sources = sources
    self.objects = objects
    self.bytes = bytes
  }
}

extension SharedCache {
  /// Removes what is known of an address and everything made from it alone, poison included. Bytes
  /// of which an object to be kept was made stay with all that was made of them.
  package func purge(
    url: String, keeping kept: Set<ContentHash> = []
  ) throws(CacheFailure) -> PurgeReport {
    var report = PurgeReport()
    for source in try index.sources(url: url) { try purge(source, kept, &report) }
    for beginning in index.failures(SourceKey(url: url)).compactMap(\.beginning) {
      try purge(beginning, kept, &report)
    }
    report.failures = index.failures(SourceKey(url: url)).count
    try index.forgetFailures(url: url)
    return report
  }

  /// The same for all addresses of a host (lower case).
  package func purge(host: String) throws(CacheFailure) -> PurgeReport {
    var report = PurgeReport()
    var last: Int64 = 0
    while true {
      let rows = try index.sourcePage(host: host, after: last, count: Self.pageSize)
      guard let end = rows.last?.last?.integer else { break }
      for source in rows.compactMap(SourceRecord.init) { try purge(source, [], &report) }
      last = end
    }
    for beginning in try index.beginnings(host: host) { try purge(beginning, [], &report) }
    report.failures = try index.failureCount(host: host)
    try index.forgetHost(host)
    return report
  }

  /// Removes what was made from some bytes, such as those of a `data:` address, unless an address
  /// that is still known gave the same.
  package func purge(
    content: ContentHash, keeping kept: Set<ContentHash> = []
  ) throws(CacheFailure) -> PurgeReport {
    var report = PurgeReport()
    try purge(content, kept, &report)
    return report
  }

  /// Removes a file that a result held, and what is known of the bytes it was made from, unless an
  /// address that is still known gave them, or it is published and another result links to it.
  package func purge(
    file hash: ContentHash, keeping kept: Set<ContentHash> = []
  ) throws(CacheFailure) -> PurgeReport {
    var report = PurgeReport()
    if kept.contains(hash) { return report }
    for (name, isPublished) in try index.files(named: hash) {
      for original in try index.originals(of: name) { try purge(original, kept, &report) }
      guard try !index.isWanted(name), let status = try objects.status(of: name) else { continue }
      if isPublished && status.links > 1 { continue }
      try objects.remove(name)
      report.objects += 1
      report.bytes += status.size
      try index.forget(name)
    }
    return report
  }

  /// Empties the cache.
  package func purgeAll() throws(CacheFailure) -> PurgeReport {
    var report = PurgeReport()
    report.sources = try statistics().sources
    for area in ObjectName.Area.allCases {
      try forEachFile(in: area) { name, status throws(CacheFailure) in
        try objects.remove(name)
        report.objects += 1
        report.bytes += status.size
      }
    }
    try index.clear()
    return report
  }

  private func purge(
    _ source: SourceRecord, _ kept: Set<ContentHash>, _ report: inout PurgeReport
  ) throws(CacheFailure) {
    try index.forget(source.key)
    report.sources += 1
    try purge(source.original, kept, &report)
  }

  /// Files go first: what a crash leaves is rows without files, which the next purge removes.
  private func purge(
    _ content: ContentHash, _ kept: Set<ContentHash>, _ report: inout PurgeReport
  ) throws(CacheFailure) {
    guard try !index.isContentKnown(content) else { return }
    var names = try index.renditionObjects(of: content)
    if names.contains(where: { kept.contains($0.hash) }) { return }
    names.append(ObjectName(original: content))
    for name in names where try !index.isShared(name, besides: content) {
      if let status = try objects.status(of: name) {
        try objects.remove(name)
        report.objects += 1
        report.bytes += status.size
      }
      try index.forget(name)
    }
    try index.forgetContent(content)
  }
}

extension CacheIndex {
  func forget(_ key: SourceKey) throws(CacheFailure) {
    try write { database throws(DatabaseFailure) in
      try database.run("DELETE FROM sources WHERE key = ?", [.blob(key.digest)])
    }
  }

  func forgetFailures(url: String) throws(CacheFailure) {
    let key = SourceKey(url: url)
    try write { database throws(DatabaseFailure) in
      try database.run(
        "DELETE FROM failures WHERE host = ? AND url = ?", [.text(key.host), .text(url)])
      try database.run("DELETE FROM uncacheable WHERE key = ?", [.blob(key.digest)])
    }
  }

  func failureCount(host: String) throws(CacheFailure) -> Int {
    let rows = try write { database throws(DatabaseFailure) in
      try database.run("SELECT count(*) FROM failures WHERE host = ?", [.text(host)])
    }
    return rows.first?.first?.integer.map { Int($0) } ?? 0
  }

  func forgetHost(_ host: String) throws(CacheFailure) {
    try write { database throws(DatabaseFailure) in
      try database.run("DELETE FROM sources WHERE host = ?", [.text(host)])
      try database.run("DELETE FROM failures WHERE host = ?", [.text(host)])
    }
  }

  /// The files whose content has a hash.
  func files(
    named hash: ContentHash
  ) throws(CacheFailure) -> [(name: ObjectName, isPublished: Bool)] {
    let rows = try write { database throws(DatabaseFailure) in
      try database.run(
        "SELECT hash, extension, held FROM objects WHERE hash = ?", [SQLValue(hash)])
    }
    return rows.compactMap { row in
      ObjectName(hash: row[0], extension: row[1]).map {
        ($0, row[2].integer == Holding.published.rawValue)
      }
    }
  }

  /// The bytes that an object is a rendition of.
  func originals(of name: ObjectName) throws(CacheFailure) -> [ContentHash] {
    let rows = try write { database throws(DatabaseFailure) in
      try database.run(
        "SELECT DISTINCT original FROM renditions WHERE object = ? AND extension = ?",
        name.indexKey)
    }
    return rows.compactMap { $0[0].hash }
  }

  /// Whether a known address led to a file.
  func isWanted(_ name: ObjectName) throws(CacheFailure) -> Bool {
    if name.area == .originals { return try isContentKnown(name.hash) }
    return try !originals(of: name).isEmpty
  }

  /// Whether an address is still known to give these bytes.
  func isContentKnown(_ content: ContentHash) throws(CacheFailure) -> Bool {
    let rows = try write { database throws(DatabaseFailure) in
      try database.run("SELECT 1 FROM sources WHERE original = ? LIMIT 1", [SQLValue(content)])
    }
    return !rows.isEmpty
  }

  /// Whether an object is a rendition of other bytes as well.
  func isShared(
    _ name: ObjectName, besides content: ContentHash
  ) throws(CacheFailure) -> Bool {
    if name.area == .originals { return false }
    let rows = try write { database throws(DatabaseFailure) in
      try database.run(
        "SELECT 1 FROM renditions WHERE object = ? AND extension = ? AND original <> ? LIMIT 1",
        name.indexKey + [SQLValue(content)])
    }
    return !rows.isEmpty
  }

  func forgetContent(_ content: ContentHash) throws(CacheFailure) {
    try write { database throws(DatabaseFailure) in
      try database.run("DELETE FROM renditions WHERE original = ?", [SQLValue(content)])
      try database.run("DELETE FROM poison WHERE hash = ?", [SQLValue(content)])
    }
  }

  /// Empties all tables.
  func clear() throws(CacheFailure) {
    try write { database throws(DatabaseFailure) in
      try database.transaction { database throws(DatabaseFailure) in
        for table in ["sources", "renditions", "failures", "uncacheable", "poison", "objects"] {
          try database.run("DELETE FROM \(table)")
        }
        try database.run("UPDATE totals SET count = 0, bytes = 0")
      }
    }
  }
}
