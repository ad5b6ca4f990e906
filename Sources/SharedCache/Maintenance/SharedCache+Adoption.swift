internal import Files

extension SharedCache {
  /// In which order a new index takes stock.
  private static let stock = ObjectName.Area.allCases.flatMap { area in shards.map { (area, $0) } }
  static let stockCount = Int64(stock.count)
  /// Shards between two notes of how far it has come.
  private static let stockStep = 8

  /// Enters files that a new index does not know, shard by shard, so that the limits hold again after
  /// the old one was lost. To be called by who is elected; returns whether all are entered.
  @discardableResult
  func takeStock(until end: ContinuousClock.Instant) throws(CacheFailure) -> Bool {
    var done = max(0, Int(try index.adoptedShards()))
    guard done < Self.stock.count else { return true }
    let present = try ObjectName.Area.allCases.map { area throws(CacheFailure) in
      (area, try folders(of: area))
    }
    while done < Self.stock.count {
      var next = done
      var adopted = 0
      while next < Self.stock.count, adopted < Self.stockStep {
        let (area, shard) = Self.stock[next]
        if present.contains(where: { $0.0 == area && $0.1.contains(shard) }) {
          _ = try adopt(area, shard)
          adopted += 1
        }
        next += 1
      }
      // An index that was made anew meanwhile begins at its own start.
      guard try index.setAdoptedShards(next, from: done) else { return false }
      done = next
      guard .now < end else { break }
    }
    return done >= Self.stock.count
  }

  /// The shards that there are: of a new cache none.
  private func folders(of area: ObjectName.Area) throws(CacheFailure) -> Set<String> {
    var names: Set<String> = []
    do throws(SystemCallFailure) {
      try root.subdirectory(area.rawValue).forEachName { name in
        names.insert(name)
        return true
      }
    } catch {
      guard error.isMissing else { throw CacheFailure(error) }
    }
    return names
  }

  /// Enters the unknown files of one shard; returns how many there were.
  func adopt(_ area: ObjectName.Area, _ shard: String) throws(CacheFailure) -> Int {
    var found: [(ObjectName, FileStatus)] = []
    try forEachFile(in: area, shard: shard) { name, status throws(CacheFailure) in
      found.append((name, status))
    }
    return try index.adopt(
      found.map { name, status in
        AdoptedFile(
          name: name, bytes: status.size, modified: status.modified / 1_000_000,
          holding: status.links > 1 ? .linked : .none)
      })
  }
}

/// A file found on the disk, as it is entered.
struct AdoptedFile: Sendable {
  let name: ObjectName
  let bytes: Int
  /// Milliseconds since 1970.
  let modified: Int64
  let holding: Holding
}

extension CacheIndex {
  /// Enters files; those that are known stay as they are. Returns how many were not.
  func adopt(_ files: [AdoptedFile]) throws(CacheFailure) -> Int {
    if files.isEmpty { return 0 }
    return try write { database throws(DatabaseFailure) in
      try database.transaction { database throws(DatabaseFailure) in
        var adopted = 0
        for file in files {
          try database.run(
            """
            INSERT OR IGNORE INTO objects (hash, extension, area, bytes, created, lastUsed, held)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            file.name.indexKey + [
              .integer(file.name.areaNumber), SQLValue(file.bytes), .integer(file.modified),
              .integer(file.modified.flooredToHour), .integer(file.holding.rawValue),
            ])
          adopted += database.changes
        }
        return adopted
      }
    }
  }

  func adoptedShards() throws(CacheFailure) -> Int64 {
    try write { database throws(DatabaseFailure) in try Self.adoptedShards(&database) }
  }

  static func adoptedShards(_ database: inout Database) throws(DatabaseFailure) -> Int64 {
    let rows = try database.run("SELECT value FROM progress WHERE name = 'adoptedShards'")
    return rows.first?.first?.integer ?? 0
  }

  /// False where the index is not the one any more that knew so many.
  func setAdoptedShards(_ count: Int, from known: Int) throws(CacheFailure) -> Bool {
    try write { database throws(DatabaseFailure) in
      try database.run(
        "UPDATE progress SET value = ? WHERE name = 'adoptedShards' AND value = ?",
        [SQLValue(count), SQLValue(known)])
      return database.changes == 1
    }
  }
}
