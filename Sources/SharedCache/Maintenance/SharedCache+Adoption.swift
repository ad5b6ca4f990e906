internal import Files

extension SharedCache {
  /// Enters files that a new index does not know, some shards at a time, so that the limits hold
  /// again after the old one was lost. Returns whether all are entered.
  func adoptShards(_ count: Int) throws(CacheFailure) -> Bool {
    let all = ObjectName.Area.allCases.flatMap { area in Self.shards.map { (area, $0) } }
    let done = try index.adoptedShards()
    guard done < all.count else { return true }
    let next = all[max(done, 0)...].prefix(count)
    for (area, shard) in next { _ = try adopt(area, shard) }
    try index.setAdoptedShards(done + next.count)
    return done + next.count >= all.count
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

  func adoptedShards() throws(CacheFailure) -> Int {
    let rows = try write { database throws(DatabaseFailure) in
      try database.run("SELECT value FROM progress WHERE name = 'adoptedShards'")
    }
    return rows.first?.first?.int ?? 0
  }

  func setAdoptedShards(_ count: Int) throws(CacheFailure) {
    try write { database throws(DatabaseFailure) in
      try database.run(
        "UPDATE progress SET value = ? WHERE name = 'adoptedShards'", [SQLValue(count)])
    }
  }
}
