internal import Synchronization

/// Why an object is not first in line for eviction; raw values are the index's.
enum Holding: Int64 {
  case none = 0
  /// Linked from outboxes: its removal frees nothing.
  case linked = 1
  /// Its address is out in the world until a certain time.
  case published = 2
}

extension ObjectName {
  var areaNumber: Int64 { area == .originals ? 0 : 1 }

  /// The primary key in the index.
  var indexKey: [SQLValue] { [SQLValue(hash), .text(fileExtension ?? "")] }

  init?(hash: SQLValue, extension fileExtension: SQLValue) {
    guard let hash = hash.hash, let text = fileExtension.text else { return nil }
    if text.isEmpty {
      self.init(original: hash)
    } else {
      self.init(fileName: "\(hash.hex).\(text)", area: .objects)
    }
  }
}

extension CacheIndex {
  /// Enters an object, or makes its row young. Comes before the file has its name, so that a crash
  /// between the two leaves a row without a file, which is a miss, and no file without a row. One
  /// that cannot be entered is with the next that can.
  func register(_ object: StoredObject, now: Int64) throws(CacheFailure) {
    let objects = unentered.withLock { objects in
      defer { objects = [] }
      return objects + [object]
    }
    do throws(CacheFailure) {
      try write { database throws(DatabaseFailure) in
        try database.transaction { database throws(DatabaseFailure) in
          for object in objects { try Self.enter(object, now: now, &database) }
        }
      }
    } catch {
      // Beyond these the scan for files without rows comes by.
      unentered.withLock { $0 = ($0 + objects).suffix(256) }
      throw error
    }
  }

  /// What became of an object that was to be entered.
  enum Entry {
    case entered, noRoom
    /// The index is new, and does not know yet what lies in the cache.
    case uncounted
  }

  /// Enters an object where the sum of all stays within `limit` bytes, in one transaction with the
  /// count; one that is known is made young.
  func enter(_ object: StoredObject, within limit: Int, now: Int64) throws(CacheFailure) -> Entry {
    do throws(CacheFailure) {
      return try enterOnce(object, within: limit, now: now)
    } catch {
      // What was damaged is made anew by the next to ask.
      guard case .indexUnavailable = error, !isBusy else { throw error }
      return try enterOnce(object, within: limit, now: now)
    }
  }

  private func enterOnce(
    _ object: StoredObject, within limit: Int, now: Int64
  ) throws(CacheFailure) -> Entry {
    try write { database throws(DatabaseFailure) in
      try database.transaction { database throws(DatabaseFailure) in
        guard try Self.adoptedShards(&database) >= SharedCache.stockCount else { return .uncounted }
        let known = try Self.isEntered(object.name, &database)
        let total = try database.run("SELECT sum(bytes) FROM totals").first?.first?.int ?? 0
        guard known || total <= limit - object.bytes else { return .noRoom }
        try Self.enter(object, now: now, &database)
        return .entered
      }
    }
  }

  /// Nil where the index cannot tell.
  func isEntered(_ name: ObjectName) -> Bool? {
    read { database throws(DatabaseFailure) in try Self.isEntered(name, &database) }
  }

  private static func isEntered(
    _ name: ObjectName, _ database: inout Database
  ) throws(DatabaseFailure) -> Bool {
    try !database.run(
      "SELECT 1 FROM objects WHERE hash = ? AND extension = ?", name.indexKey
    ).isEmpty
  }

  private static func enter(
    _ object: StoredObject, now: Int64, _ database: inout Database
  ) throws(DatabaseFailure) {
    let key = object.name.indexKey
    try database.run(
      """
      INSERT INTO objects (hash, extension, area, bytes, created, lastUsed)
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (hash, extension) DO UPDATE SET
        bytes = excluded.bytes, created = excluded.created, lastUsed = excluded.lastUsed
      """,
      key + [
        .integer(object.name.areaNumber), SQLValue(object.bytes), .integer(now),
        .integer(now.flooredToHour),
      ])
  }

  /// Notes a use, once an hour at most.
  func markUsed(_ name: ObjectName, now: Int64) {
    let hour = now.flooredToHour
    // A use that is not noted costs an early eviction at most.
    note { database throws(DatabaseFailure) in
      let rows = try database.run(
        "SELECT lastUsed FROM objects WHERE hash = ? AND extension = ?", name.indexKey)
      guard let lastUsed = rows.first?.first?.integer, lastUsed < hour else { return }
      try database.run(
        "UPDATE objects SET lastUsed = ? WHERE hash = ? AND extension = ?",
        [.integer(hour)] + name.indexKey)
    }
  }

  /// Keeps objects until a time, milliseconds since 1970, even above the size limit.
  func publish(_ names: [ObjectName], until: Int64) throws(CacheFailure) {
    try write { database throws(DatabaseFailure) in
      try database.transaction { database throws(DatabaseFailure) in
        for name in names {
          try database.run(
            """
            UPDATE objects SET held = 2, publishedUntil = max(publishedUntil, ?)
            WHERE hash = ? AND extension = ?
            """, [.integer(until)] + name.indexKey)
        }
      }
    }
  }

  /// Forgets an object and the renditions that lie in it.
  func forget(_ name: ObjectName) throws(CacheFailure) {
    try write { database throws(DatabaseFailure) in
      try database.transaction { database throws(DatabaseFailure) in
        try Self.forget(name, &database)
      }
    }
  }

  static func forget(_ name: ObjectName, _ database: inout Database) throws(DatabaseFailure) {
    try database.run("DELETE FROM objects WHERE hash = ? AND extension = ?", name.indexKey)
    guard name.area == .objects else { return }
    try database.run(
      "DELETE FROM renditions WHERE object = ? AND extension = ?", name.indexKey)
  }
}
