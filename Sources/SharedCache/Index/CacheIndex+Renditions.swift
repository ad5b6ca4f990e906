extension CacheIndex {
  /// The renditions of an original that are known, by key; marks them as used.
  func renditions(
    of original: ContentHash, keys: [String], now: Int64
  ) -> [String: RenditionRecord] {
    var found: [String: RenditionRecord] = [:]
    for key in keys {
      let rows = read { database throws(DatabaseFailure) in
        try database.run(
          "SELECT \(RenditionRecord.columns), sum FROM renditions WHERE original = ? AND key = ?",
          [SQLValue(original), .text(key)])
      }
      guard let row = rows?.first, row[0].hash == original, row[1].text == key else { continue }
      found[key] = RenditionRecord(row)
    }
    for record in found.values { markUsed(record.object, now: now) }
    return found
  }

  func store(
    _ record: RenditionRecord, of original: ContentHash, key: String
  ) throws(CacheFailure) {
    let values = record.values(original: original, key: key)
    try write { database throws(DatabaseFailure) in
      try database.run(
        "INSERT OR REPLACE INTO renditions (\(RenditionRecord.columns), sum)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        values + [.integer(values.checksum)])
    }
  }
}
