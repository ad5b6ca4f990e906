internal import Files
internal import Glibc

/// What the janitor removed.
package struct JanitorReport: Sendable, Hashable {
  package var temporaries = 0
  package var locks = 0
  package var quarantined = 0
  package var rows = 0

  package init(temporaries: Int = 0, locks: Int = 0, quarantined: Int = 0, rows: Int = 0) {
    self.temporaries = temporaries
    self.locks = locks
    self.quarantined = quarantined
    self.rows = rows
  }
}

extension SharedCache {
  /// Younger files are left alone: their owner may not have locked them yet, milliseconds.
  private static let grace: Int64 = 60_000
  /// Rows of addresses that nobody asked for are forgotten, milliseconds.
  private static let sourceMemory: Int64 = 30 * 86_400_000
  private static let maxQuarantined = 32
  private static let maxQuarantinedBytes = 64_000_000

  /// Removes what dead processes left behind, all but the latest damaged files, and old rows.
  package func sweep(now: Int64 = WallClock.now()) throws(CacheFailure) -> JanitorReport {
    try settle()
    var report = JanitorReport()
    do throws(SystemCallFailure) {
      report.temporaries = try removeOrphans(in: CacheLayout.temporaries, prefix: "", now)
      report.locks = try removeOrphans(in: CacheLayout.locks, prefix: SingleFlight.prefix, now)
      report.quarantined = try trimQuarantine()
    } catch {
      throw CacheFailure(error)
    }
    report.rows = try index.forgetOld(
      failuresBefore: now - 86_400_000, sourcesBefore: now - Self.sourceMemory, now: now)
    return report
  }

  /// What a worker does every few seconds: sweeps, and evicts. Nil where another process is evicting.
  @discardableResult
  package func housekeep(now: Int64 = WallClock.now()) throws(CacheFailure) -> EvictionReport? {
    _ = try sweep(now: now)
    return try evict(now: now)
  }

  /// A file whose lock is free has no owner any more.
  private func removeOrphans(
    in folder: String, prefix: String, _ now: Int64
  ) throws(SystemCallFailure) -> Int {
    let directory = try root.subdirectory(folder)
    var old: [String] = []
    try directory.forEachName { name in
      if name.hasPrefix(prefix) { old.append(name) }
      return old.count < 10_000
    }
    var removed = 0
    for name in old {
      guard let status = try directory.status(of: name), status.isRegularFile,
        now - status.modified / 1_000_000 > Self.grace,
        let file = try? directory.open(name, flags: O_RDONLY | O_NONBLOCK),
        try file.tryLock(), try directory.status(of: name)?.inode == file.fileStatus().inode
      else { continue }
      try directory.remove(name)
      removed += 1
    }
    return removed
  }

  /// Keeps the latest damaged files, within bounds, for whoever wants to know why.
  private func trimQuarantine() throws(SystemCallFailure) -> Int {
    let folder = try root.subdirectory(CacheLayout.quarantine)
    var names: [String] = []
    try folder.forEachName { name in
      names.append(name)
      return names.count < 100_000
    }
    var files: [(name: String, status: FileStatus)] = []
    for name in names {
      if let status = try folder.status(of: name) { files.append((name, status)) }
    }
    files.sort { $0.status.modified > $1.status.modified }
    var (kept, bytes, removed) = (0, 0, 0)
    for file in files {
      bytes += file.status.size
      if kept < Self.maxQuarantined && bytes <= Self.maxQuarantinedBytes {
        kept += 1
      } else {
        // A directory that someone had put in a file's place is theirs to remove.
        guard !file.status.isDirectory else { continue }
        try folder.remove(file.name)
        removed += 1
      }
    }
    return removed
  }
}

extension CacheIndex {
  /// Forgets rows of no more use, a thousand of a kind at most; returns how many.
  func forgetOld(
    failuresBefore: Int64, sourcesBefore: Int64, now: Int64
  ) throws(CacheFailure) -> Int {
    try write { database throws(DatabaseFailure) in
      try database.run(
        """
        DELETE FROM failures WHERE key IN (
          SELECT key FROM failures WHERE nextTry < ? LIMIT 1000)
        """, [.integer(failuresBefore)])
      var rows = database.changes
      try database.run(
        "DELETE FROM sources WHERE id IN (SELECT id FROM sources WHERE lastUsed < ? LIMIT 1000)",
        [.integer(sourcesBefore)])
      rows += database.changes
      try database.run(
        """
        DELETE FROM uncacheable WHERE key IN (
          SELECT key FROM uncacheable WHERE until < ? LIMIT 1000)
        """, [.integer(now)])
      return rows + database.changes
    }
  }
}
