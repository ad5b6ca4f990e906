/// The tables of the index. Everything in them can be lost: files are the truth.
enum Schema {
  /// Kept in `PRAGMA user_version`. An older file is made anew; a newer one is left alone.
  static let version: Int64 = 2

  static let configuration = """
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA journal_size_limit = 8388608;
    PRAGMA cell_size_check = ON;
    PRAGMA trusted_schema = OFF;
    """

  /// `sum` is a checksum over the row's other columns but `lastUsed`. Times are milliseconds since
  /// 1970; `lastUsed` is a full hour, so that a hit seldom writes.
  static let tables = """
    CREATE TABLE sources (
      id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, url TEXT NOT NULL, variant TEXT NOT NULL,
      host TEXT NOT NULL, finalURL TEXT NOT NULL, fields TEXT NOT NULL,
      requestTime INTEGER NOT NULL, responseTime INTEGER NOT NULL, original BLOB NOT NULL,
      bytes INTEGER NOT NULL, format TEXT NOT NULL, facts BLOB NOT NULL, expires INTEGER NOT NULL,
      lastUsed INTEGER NOT NULL, sum INTEGER NOT NULL);
    CREATE INDEX sourcesByHost ON sources (host);
    CREATE INDEX sourcesByOriginal ON sources (original);
    CREATE INDEX sourcesByUse ON sources (lastUsed);
    CREATE INDEX sourcesByExpiry ON sources (expires);

    CREATE TABLE renditions (
      original BLOB NOT NULL, key TEXT NOT NULL, object BLOB NOT NULL, extension TEXT NOT NULL,
      format TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,
      frames INTEGER NOT NULL, bytes INTEGER NOT NULL, details BLOB NOT NULL,
      sum INTEGER NOT NULL, PRIMARY KEY (original, key)) WITHOUT ROWID;
    CREATE INDEX renditionsByObject ON renditions (object);

    CREATE TABLE failures (
      key BLOB PRIMARY KEY, url TEXT NOT NULL, host TEXT NOT NULL, kind TEXT NOT NULL,
      code TEXT NOT NULL, message TEXT NOT NULL, count INTEGER NOT NULL,
      failedAt INTEGER NOT NULL, nextTry INTEGER NOT NULL, beginning BLOB, sum INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX failuresByHost ON failures (host);
    CREATE INDEX failuresByNextTry ON failures (nextTry);

    CREATE TABLE uncacheable (key BLOB PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID;

    CREATE TABLE poison (
      hash BLOB NOT NULL, decoder TEXT NOT NULL, reason TEXT NOT NULL, poisonedAt INTEGER NOT NULL,
      PRIMARY KEY (hash, decoder)) WITHOUT ROWID;

    CREATE TABLE objects (
      hash BLOB NOT NULL, extension TEXT NOT NULL, area INTEGER NOT NULL, bytes INTEGER NOT NULL,
      created INTEGER NOT NULL, lastUsed INTEGER NOT NULL, held INTEGER NOT NULL DEFAULT 0,
      publishedUntil INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (hash, extension)) WITHOUT ROWID;
    CREATE INDEX objectsByUse ON objects (held, area, lastUsed, created);
    CREATE INDEX objectsByPublication ON objects (publishedUntil) WHERE held = 2;

    CREATE TABLE totals (
      area INTEGER PRIMARY KEY, count INTEGER NOT NULL, bytes INTEGER NOT NULL);
    INSERT INTO totals VALUES (0, 0, 0), (1, 0, 0);
    CREATE TRIGGER objectsInserted AFTER INSERT ON objects BEGIN
      UPDATE totals SET count = count + 1, bytes = bytes + new.bytes WHERE area = new.area; END;
    CREATE TRIGGER objectsDeleted AFTER DELETE ON objects BEGIN
      UPDATE totals SET count = count - 1, bytes = bytes - old.bytes WHERE area = old.area; END;
    CREATE TRIGGER objectsChanged AFTER UPDATE OF bytes ON objects BEGIN
      UPDATE totals SET bytes = bytes - old.bytes + new.bytes WHERE area = new.area; END;

    CREATE TABLE progress (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO progress VALUES ('adoptedShards', 0);
    """

  /// Configures a connection and makes the tables where there are none.
  static func prepare(_ database: inout Database) throws(DatabaseFailure) -> Bool {
    try database.execute(configuration)
    if try version(of: &database) == version { return true }
    return try database.transaction { database throws(DatabaseFailure) in
      // Another process may have been faster.
      let found = try version(of: &database)
      if found == 0 {
        try database.execute(tables)
        try database.execute("PRAGMA user_version = \(version)")
        return true
      }
      return found == version
    }
  }

  static func version(of database: inout Database) throws(DatabaseFailure) -> Int64? {
    try database.run("PRAGMA user_version").first?.first?.integer
  }
}
