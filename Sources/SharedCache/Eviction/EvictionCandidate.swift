/// A row that may be evicted, and its place in the order of eviction.
struct EvictionCandidate: Sendable {
  let name: ObjectName
  let bytes: Int
  let created: Int64
  let lastUsed: Int64

  /// Never evicted: its publisher may not have linked it yet, milliseconds.
  static let youth: Int64 = 60_000

  /// A row that says more is damaged.
  static let maxBytes = 1 << 50

  /// A clock that was set back makes nothing young for long.
  func isYoung(at now: Int64) -> Bool { Self.isYoung(created, at: now) }

  static func isYoung(_ time: Int64, at now: Int64) -> Bool {
    now.subtractingReportingOverflow(time).partialValue.magnitude < UInt64(youth)
  }

  static let columns = "hash, extension, bytes, created, lastUsed"

  init?(_ row: [SQLValue]) {
    guard row.count >= 5, let name = ObjectName(hash: row[0], extension: row[1]),
      let bytes = row[2].int, (0...Self.maxBytes).contains(bytes), let created = row[3].integer,
      let lastUsed = row[4].integer
    else { return nil }
    self.name = name
    self.bytes = bytes
    self.created = created
    self.lastUsed = lastUsed
  }

  /// What the next page begins after.
  var position: [SQLValue] {
    [.integer(lastUsed), .integer(created), SQLValue(name.hash)]
  }

  static let beginning: [SQLValue] = [.integer(.min), .integer(.min), .blob([])]
}

/// One class of objects, evicted in this order.
struct EvictionClass: Sendable {
  let holding: Holding
  let area: Int64

  /// What frees space: originals first; what is linked from outboxes last, since it frees nothing.
  static let bySize = [
    EvictionClass(holding: .none, area: 0), EvictionClass(holding: .none, area: 1),
    EvictionClass(holding: .linked, area: 0), EvictionClass(holding: .linked, area: 1),
  ]
  /// Only when the file system runs short.
  static let published = EvictionClass(holding: .published, area: 1)
}

extension CacheIndex {
  /// The next objects of a class after a position, least recently used first.
  func candidates(
    _ kind: EvictionClass, after position: [SQLValue], count: Int
  ) throws(CacheFailure) -> [EvictionCandidate] {
    let rows = try write { database throws(DatabaseFailure) in
      try database.run(
        """
        SELECT \(EvictionCandidate.columns) FROM objects
        WHERE held = ? AND area = ? AND (lastUsed, created, hash) > (?, ?, ?)
        ORDER BY lastUsed, created, hash LIMIT ?
        """,
        [.integer(kind.holding.rawValue), .integer(kind.area)] + position + [SQLValue(count)])
    }
    return rows.compactMap(EvictionCandidate.init)
  }

  /// Objects and originals, as the index knows them.
  func totals() throws(CacheFailure) -> (objects: AreaTotal, originals: AreaTotal) {
    let rows = try write { database throws(DatabaseFailure) in
      try database.run("SELECT area, count, bytes FROM totals")
    }
    func total(_ area: Int64) -> AreaTotal {
      let row = rows.first { $0[0].integer == area }
      return AreaTotal(count: row?[1].int ?? 0, bytes: row?[2].int ?? 0)
    }
    return (total(1), total(0))
  }

  func publishedBytes() throws(CacheFailure) -> Int {
    let rows = try write { database throws(DatabaseFailure) in
      try database.run("SELECT sum(bytes) FROM objects WHERE held = 2")
    }
    return rows.first?.first?.int ?? 0
  }

  /// Publications whose time is over are objects like others.
  func releasePublished(now: Int64) throws(CacheFailure) {
    try write { database throws(DatabaseFailure) in
      try database.run(
        """
        UPDATE objects SET held = 0, publishedUntil = 0 WHERE (hash, extension) IN (
          SELECT hash, extension FROM objects WHERE held = 2 AND publishedUntil <= ? LIMIT 1024)
        """, [.integer(now)])
    }
  }

  func setHolding(_ holding: Holding, _ names: [ObjectName]) throws(CacheFailure) {
    if names.isEmpty { return }
    try write { database throws(DatabaseFailure) in
      try database.transaction { database throws(DatabaseFailure) in
        for name in names {
          try database.run(
            "UPDATE objects SET held = ? WHERE hash = ? AND extension = ? AND held < 2",
            [.integer(holding.rawValue)] + name.indexKey)
        }
      }
    }
  }

  /// Forgets objects whose files are gone, but those that were entered anew meanwhile: their
  /// publisher is about to name a file.
  func forget(_ gone: [EvictionCandidate]) throws(CacheFailure) {
    if gone.isEmpty { return }
    try write { database throws(DatabaseFailure) in
      try database.transaction { database throws(DatabaseFailure) in
        for candidate in gone {
          let rows = try database.run(
            "SELECT created FROM objects WHERE hash = ? AND extension = ?", candidate.name.indexKey)
          guard rows.first?.first?.integer == candidate.created else { continue }
          try Self.forget(candidate.name, &database)
        }
      }
    }
  }
}

/// How many files of an area there are, and their bytes.
package struct AreaTotal: Sendable, Hashable {
  package var count = 0
  package var bytes = 0

  package init(count: Int = 0, bytes: Int = 0) {
    self.count = count
    self.bytes = bytes
  }
}
