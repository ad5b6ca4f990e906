internal import Files

/// What `cache verify` found.
package struct VerifyReport: Sendable, Hashable {
  package var checked = 0
  package var bytes = 0
  /// Set aside.
  package var damaged: [ObjectName] = []
  /// Files that the index did not know, entered now.
  package var adopted = 0
  /// Names that are none of ours, left alone.
  package var foreign = 0
  /// Rows without a file, removed.
  package var lost = 0

  package var isClean: Bool { damaged.isEmpty }
}

extension SharedCache {
  /// Hashes every file, sets damaged ones aside, and makes index and files agree. `progress` gets
  /// the files and bytes checked so far and answers false to stop.
  package func verify(
    now: Int64 = WallClock.now(), progress: (_ files: Int, _ bytes: Int) -> Bool = { _, _ in true }
  ) throws(CacheFailure) -> VerifyReport {
    var report = VerifyReport()
    for area in ObjectName.Area.allCases {
      report.foreign += try foreignCount(in: area)
      for shard in Self.shards {
        try forEachFile(in: area, shard: shard) { name, status throws(CacheFailure) in
          try check(name, status, &report)
        }
        guard progress(report.checked, report.bytes) else { return report }
        report.adopted += try adopt(area, shard)
      }
    }
    report.lost = try forgetLost(now: now)
    return report
  }

  private func check(
    _ name: ObjectName, _ status: FileStatus, _ report: inout VerifyReport
  ) throws(CacheFailure) {
    objects.distrust(name)
    do throws(CacheFailure) {
      _ = try objects.open(name)
    } catch {
      switch error {
      case .damaged:
        try index.forget(name)
        report.damaged.append(name)
      // Evicted meanwhile.
      case .missing: return
      default: throw error
      }
    }
    report.checked += 1
    report.bytes += status.size
  }

  /// Removes rows whose file is gone, and counts anew; returns how many there were. A young row may
  /// be about to get its file.
  func forgetLost(now: Int64) throws(CacheFailure) -> Int {
    var position: [SQLValue] = [.blob([]), .text("")]
    var lost = 0
    while true {
      let page = try index.objectPage(after: position, count: Self.pageSize)
      guard let last = page.last else { break }
      var gone: [EvictionCandidate] = []
      for row in page where !row.isYoung(at: now) {
        if try objects.status(of: row.name) == nil { gone.append(row) }
      }
      try index.forget(gone)
      lost += gone.count
      position = last.name.indexKey
    }
    try index.countAnew()
    return lost
  }

  /// Makes index and files agree without hashing, sweeps, and evicts until the limits hold or
  /// nothing more may go.
  package func prune(now: Int64 = WallClock.now()) throws(CacheFailure) -> EvictionReport {
    for area in ObjectName.Area.allCases {
      for shard in Self.shards { _ = try adopt(area, shard) }
    }
    _ = try forgetLost(now: now)
    _ = try sweep(now: now)
    var total = EvictionReport()
    while true {
      guard let election = try elect(within: .milliseconds(500)) else { return total }
      let report = try Evictor(self, limits, now: now).run()
      _ = consume election
      let evicted = (total.evicted + report.evicted, total.bytes + report.bytes)
      total = report
      (total.evicted, total.bytes) = evicted
      if report.limitsHold || report.evicted + report.settled == 0 { return total }
    }
  }
}

extension CacheIndex {
  /// Objects in the order of the primary key.
  func objectPage(
    after position: [SQLValue], count: Int
  ) throws(CacheFailure) -> [EvictionCandidate] {
    let rows = try write { database throws(DatabaseFailure) in
      try database.run(
        """
        SELECT \(EvictionCandidate.columns) FROM objects WHERE (hash, extension) > (?, ?)
        ORDER BY hash, extension LIMIT ?
        """, position + [SQLValue(count)])
    }
    return rows.compactMap(EvictionCandidate.init)
  }

  func countAnew() throws(CacheFailure) {
    try write { database throws(DatabaseFailure) in
      try database.run(
        """
        UPDATE totals SET
          count = (SELECT count(*) FROM objects WHERE objects.area = totals.area),
          bytes = (SELECT coalesce(sum(bytes), 0) FROM objects WHERE objects.area = totals.area)
        """)
    }
  }
}
