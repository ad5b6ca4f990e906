extension CacheIndex {
  /// How long an address that forbids storing is remembered as such, milliseconds.
  static let uncacheableSpan: Int64 = 120_000

  /// The last good answer of an address: the one for this Accept, else the one for any.
  func source(_ key: SourceKey, now: Int64) -> SourceRecord? {
    let other = key.isBeginning ? key : key.plain
    let found = read { database throws(DatabaseFailure) in
      try database.run(
        "SELECT \(SourceRecord.columns), sum, lastUsed, id FROM sources WHERE key IN (?, ?)",
        [.blob(key.digest), .blob(other.digest)])
    }
    let rows = (found ?? []).compactMap { row in SourceRecord(row).map { ($0, row) } }
      .filter { $0.0.key == key || $0.0.key == other }
    guard let (record, row) = rows.first(where: { $0.0.key == key }) ?? rows.first else {
      return nil
    }
    if let lastUsed = row[13].integer, lastUsed < now.flooredToHour {
      // A use that is not noted costs an early eviction at most.
      note { database throws(DatabaseFailure) in
        try database.run(
          "UPDATE sources SET lastUsed = ? WHERE id = ?", [.integer(now.flooredToHour), row[14]])
      }
    }
    return record
  }

  /// Keeps an answer, and forgets failures of the address; nil where the answer forbids it
  /// (no-store), which is remembered for two minutes.
  func store(_ record: SourceRecord, now: Int64) throws(CacheFailure) -> SourceRecord? {
    var record = record
    let asked = record.key
    if !record.fields.varies.contains("accept"), !asked.isBeginning { record.key = asked.plain }
    let isStorable = record.freshness.isStorable
    try write { database throws(DatabaseFailure) in
      try database.transaction { database throws(DatabaseFailure) in
        try database.run(
          "DELETE FROM sources WHERE key IN (?, ?, ?)",
          [.blob(asked.digest), .blob(asked.plain.digest), .blob(asked.beginning.digest)])
        try database.run(
          "DELETE FROM failures WHERE key IN (?, ?)",
          [.blob(asked.digest), .blob(asked.plain.digest)])
        guard isStorable else {
          try database.run(
            "INSERT OR REPLACE INTO uncacheable VALUES (?, ?)",
            [.blob(asked.plain.digest), .integer(now + Self.uncacheableSpan)])
          return
        }
        try database.run("DELETE FROM uncacheable WHERE key = ?", [.blob(asked.plain.digest)])
        try Self.insert(record, now: now, &database)
      }
    }
    return isStorable ? record : nil
  }

  private static func insert(
    _ record: SourceRecord, now: Int64, _ database: inout Database
  ) throws(DatabaseFailure) {
    let values = record.values
    try database.run(
      """
      INSERT INTO sources (key, \(SourceRecord.columns), sum, lastUsed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [.blob(record.key.digest)] + values
        + [.integer(values.checksum), .integer(now.flooredToHour)])
  }

  /// Whether the address lately forbade storing: its downloads need not wait for each other.
  func isUncacheable(_ key: SourceKey, now: Int64) -> Bool {
    let rows = read { database throws(DatabaseFailure) in
      try database.run(
        "SELECT until FROM uncacheable WHERE key = ?", [.blob(key.plain.digest)])
    }
    guard let until = rows?.first?.first?.integer else { return false }
    return until > now && until <= now + Self.uncacheableSpan
  }
}
