internal import Media

extension CacheIndex {
  /// The last failures of an address, in force or not: those for any Accept, and those for this one.
  func failures(_ key: SourceKey) -> [FailureRecord] {
    let rows = read { database throws(DatabaseFailure) in
      try database.run(
        "SELECT \(FailureRecord.columns), sum FROM failures WHERE key IN (?, ?)",
        [.blob(key.digest), .blob(key.plain.digest)])
    }
    return (rows ?? []).filter { $0.first?.text == key.url }.compactMap { FailureRecord($0) }
  }

  /// Remembers a failure of exactly this key; `retryAfter` (milliseconds) prolongs the wait, up to a
  /// day.
  func recordFailure(
    _ key: SourceKey, _ kind: FailureKind, code: Problem.Code, message: String,
    retryAfter: Int64?, beginning: ContentHash?, now: Int64
  ) throws(CacheFailure) -> FailureRecord {
    let jitter = Double.random(in: 0.9...1.1)
    return try write { database throws(DatabaseFailure) in
      try database.transaction { database throws(DatabaseFailure) in
        let last = Self.failure(in: try Self.failureRows(key, &database), key)
        let isRow = last.map { $0.kind == kind && now - $0.nextTry < FailureRecord.memory } ?? false
        let count = isRow ? min((last?.count ?? 0) + 1, 1_000_000) : 1
        let delay = Int64(Double(kind.delay(count: count)) * jitter)
        let record = FailureRecord(
          kind: kind, code: code, message: message, count: count, failedAt: now,
          nextTry: now + max(delay, min(retryAfter ?? 0, FailureRecord.maxDelay)),
          beginning: beginning)
        let values = record.values(key)
        try database.run(
          "INSERT OR REPLACE INTO failures (key, \(FailureRecord.columns), sum)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
          [.blob(key.digest)] + values + [.integer(values.checksum)])
        return record
      }
    }
  }

  /// The beginnings that the failures of a host keep.
  func beginnings(host: String) throws(CacheFailure) -> [ContentHash] {
    let rows = try write { database throws(DatabaseFailure) in
      try database.run(
        "SELECT beginning FROM failures WHERE host = ? AND beginning IS NOT NULL", [.text(host)])
    }
    return rows.compactMap { $0[0].hash }
  }

  private static func failureRows(
    _ key: SourceKey, _ database: inout Database
  ) throws(DatabaseFailure) -> [[SQLValue]] {
    try database.run(
      "SELECT \(FailureRecord.columns), sum FROM failures WHERE key = ?",
      [.blob(key.digest)])
  }

  private static func failure(in rows: [[SQLValue]], _ key: SourceKey) -> FailureRecord? {
    guard let row = rows.first, row[0].text == key.url else { return nil }
    return FailureRecord(row)
  }
}
