internal import CSQLite
internal import Files
internal import Glibc
internal import Synchronization

/// What is known of sources, renditions and objects: `index.sqlite`, one connection a process.
///
/// Whatever goes wrong with it costs misses only: look-ups that fail find nothing, a damaged file is
/// made anew, and a row is believed only when its checksum holds. Calls block, at most a second for
/// another process's write.
final class CacheIndex: Sendable {
  static let fileName = "index.sqlite"
  static let busyTimeout = Duration.seconds(1)

  let root: Directory
  private let connection = Mutex(Connection())
  /// Objects that have their files, and were not entered because others held the lock.
  let unentered = Mutex<[StoredObject]>([])

  private struct Connection: ~Copyable {
    var database: Database?
    /// Not tried again before: each look-up would wait for what the last one waited for.
    var retryAt = ContinuousClock.now
    var lastFailure: DatabaseFailure?
    /// Another process held the lock for longer than we wait: until `retryAt` nobody waits again,
    /// lest each job wait in turn for what the last one waited for.
    var busyFailure: DatabaseFailure?
  }

  /// Opens nothing yet.
  init(root: consuming Directory) {
    self.root = root
  }

  /// Asks the index; nil also where it cannot answer.
  func read<Result: Sendable>(_ body: (inout Database) throws(DatabaseFailure) -> Result) -> Result?
  {
    try? write(body)
  }

  /// Changes the index.
  @discardableResult
  func write<Result: Sendable>(
    _ body: (inout Database) throws(DatabaseFailure) -> Result
  ) throws(CacheFailure) -> Result {
    do {
      return try connection.withLock { connection throws(DatabaseFailure) in
        try withOpen(&connection, body)
      }
    } catch {
      throw error.asCacheFailure
    }
  }

  /// Changes what may as well stay as it is; not at all while another process holds the lock.
  func note(_ body: (inout Database) throws(DatabaseFailure) -> Void) {
    let isContended = connection.withLock { $0.retryAt > .now }
    if !isContended { try? write(body) }
  }

  /// Whether another process held the lock for too long a moment ago.
  var isBusy: Bool {
    connection.withLock { $0.busyFailure != nil && $0.retryAt > .now }
  }

  private func withOpen<Result: Sendable>(
    _ connection: inout Connection, _ body: (inout Database) throws(DatabaseFailure) -> Result
  ) throws(DatabaseFailure) -> Result {
    if let failure = connection.busyFailure, connection.retryAt > .now { throw failure }
    connection.busyFailure = nil
    var database = try take(&connection)
    do throws(DatabaseFailure) {
      let result = try body(&database)
      connection.database = consume database
      return result
    } catch {
      if error.isBusy {
        connection.retryAt = .now.advanced(by: Self.busyTimeout)
        connection.busyFailure = error
      }
      if error.isDamage {
        rebuild(insteadOf: database)
      } else {
        connection.database = consume database
      }
      throw error
    }
  }

  private func take(_ connection: inout Connection) throws(DatabaseFailure) -> Database {
    if let known = connection.database.take(), !known.hasMoved { return known }
    if let failure = connection.lastFailure, connection.retryAt > .now { throw failure }
    do throws(DatabaseFailure) {
      return try openOrRebuild()
    } catch {
      connection.retryAt = .now.advanced(by: Self.busyTimeout)
      connection.lastFailure = error
      throw error
    }
  }

  private func openOrRebuild() throws(DatabaseFailure) -> Database {
    do throws(DatabaseFailure) {
      return try open()
    } catch {
      guard error.isDamage else { throw error }
      rebuild(damaged: inode())
      return try open()
    }
  }

  /// Opening holds off those who would replace the file, lest a log be opened that belongs to
  /// another. A file that is empty or missing is made with all others held off: SQLite would take
  /// an empty one for new, whatever log others have open.
  private func open() throws(DatabaseFailure) -> Database {
    let guardian = try replacementLock(shared: true)
    if size() > 0 { return try open(under: guardian) }
    _ = consume guardian
    let soleGuardian = try replacementLock(shared: false)
    if size() == 0 {
      for suffix in ["-shm", "-wal", ""] { try? root.remove(Self.fileName + suffix) }
      try makeFile()
    }
    return try open(under: soleGuardian)
  }

  private func open(
    under guardian: borrowing Descriptor
  ) throws(DatabaseFailure) -> Database {
    var database = try Database.open(try path(), busyTimeout: Self.busyTimeout)
    if try Schema.prepare(&database) {
      guard SharedMemoryFile.fillHoles(in: root) else {
        throw DatabaseFailure(
          code: SQLITE_FULL, message: "no room for the index's shared memory", systemError: ENOSPC)
      }
      return database
    }
    let found = try Schema.version(of: &database) ?? 0
    throw DatabaseFailure(
      code: found > Schema.version ? SQLITE_READONLY : SQLITE_SCHEMA,
      message: "index has version \(found), not \(Schema.version)", systemError: 0)
  }

  /// SQLite refuses any path through a symbolic link, which a cache's may well be.
  private func path() throws(DatabaseFailure) -> String {
    do throws(SystemCallFailure) {
      return "\(try root.resolvedPath())/\(Self.fileName)"
    } catch {
      throw failure(error)
    }
  }

  /// Leaves the file that is open, and goes on with the one that is in the directory's place now.
  func reopen() throws(SystemCallFailure) {
    try connection.withLock { connection throws(SystemCallFailure) in
      connection.database = nil
      connection.lastFailure = nil
      try root.reopen()
    }
    unentered.withLock { $0 = [] }
  }

  /// 0 also where there is no file.
  private func size() -> Int { (try? root.status(of: Self.fileName))?.size ?? 0 }

  /// SQLite gives -wal and -shm the permissions of the file itself.
  private func makeFile() throws(DatabaseFailure) {
    do throws(SystemCallFailure) {
      let file = try root.open(
        Self.fileName, flags: O_RDWR | O_CREAT, mode: CacheLayout.sharedFileMode)
      if try file.fileStatus().owner == geteuid() {
        try file.setPermissions(CacheLayout.sharedFileMode)
      }
    } catch {
      throw failure(error)
    }
  }

  private func replacementLock(shared: Bool) throws(DatabaseFailure) -> Descriptor {
    do throws(SystemCallFailure) {
      let file = try root.open(
        "\(CacheLayout.locks)/index", flags: O_RDWR | O_CREAT, mode: CacheLayout.sharedFileMode)
      try? file.setPermissions(CacheLayout.sharedFileMode)
      guard try file.lock(within: Self.busyTimeout, shared: shared) else {
        throw SystemCallFailure("flock", number: EWOULDBLOCK)
      }
      return file
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: SystemCallFailure) -> DatabaseFailure {
    DatabaseFailure(
      code: error.isDiskFull ? SQLITE_FULL : SQLITE_CANTOPEN, message: error.description,
      systemError: error.number)
  }

  private func inode() -> UInt64? { (try? root.status(of: Self.fileName))?.inode }

  private func rebuild(insteadOf database: consuming Database) {
    let damaged = database.hasMoved ? nil : inode()
    // Closed before the file goes, so that its log cannot be written afterwards.
    _ = consume database
    rebuild(damaged: damaged)
  }

  /// Removes the file with this inode together with its log, so that the next opening makes a new
  /// one.
  private func rebuild(damaged: UInt64?) {
    guard let damaged, let guardian = try? replacementLock(shared: false), inode() == damaged
    else { return }
    // The file last: a log without its file is refused, a file without its log is only older.
    for suffix in ["-shm", "-wal", ""] { try? root.remove(Self.fileName + suffix) }
    _ = consume guardian
  }
}
