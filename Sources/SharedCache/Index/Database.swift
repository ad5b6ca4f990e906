internal import CSQLite
internal import Media

/// One connection to an SQLite file, with its prepared statements.
///
/// It has one owner, and every use of the handle needs exclusive access to it: that is all SQLite
/// asks of a connection in multi-thread mode (SQLITE_OPEN_NOMUTEX), so it may change threads.
@safe struct Database: ~Copyable, Sendable {
  private nonisolated(unsafe) let handle: OpaquePointer?
  private nonisolated(unsafe) var statements: [String: OpaquePointer]

  private init(adopting handle: OpaquePointer?) {
    unsafe self.handle = handle
    unsafe statements = [:]
  }

  deinit {
    unsafe statements.values.forEach { _ = unsafe sqlite3_finalize($0) }
    unsafe sqlite3_close_v2(handle)
  }

  /// Opens an existing file. The corresponding C function is `sqlite3_open_v2`.
  static func open(_ path: String, busyTimeout: Duration) throws(DatabaseFailure) -> Database {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
    let code = unsafe sqlite3_open_v2(path, &handle, flags, nil)
    // The manual has the handle closed even when opening failed: the owner's deinit does.
    let database = unsafe Database(adopting: handle)
    guard code == SQLITE_OK else { throw database.failure(code) }
    unsafe sqlite3_extended_result_codes(handle, 1)
    unsafe sqlite3_busy_timeout(handle, busyTimeout.millisecondsRoundedUp)
    // Closing leaves -wal and -shm in place: with a full disk they could not be made again.
    var persists: Int32 = 1
    unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &persists)
    return database
  }

  /// Whether the path names another file by now. The corresponding C call is `sqlite3_file_control`
  /// with `SQLITE_FCNTL_HAS_MOVED`.
  var hasMoved: Bool {
    var moved: Int32 = 0
    let code = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
    return code != SQLITE_OK || moved != 0
  }

  /// How many rows the last statement changed.
  var changes: Int { Int(unsafe sqlite3_changes(handle)) }

  /// Runs statements without parameters. The corresponding C function is `sqlite3_exec`.
  mutating func execute(_ script: String) throws(DatabaseFailure) {
    let code = unsafe sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Runs one statement, kept prepared, and returns its rows.
  @discardableResult
  mutating func run(
    _ sql: String, _ parameters: [SQLValue] = []
  ) throws(DatabaseFailure) -> [[SQLValue]] {
    let statement = try unsafe prepare(sql)
    defer {
      unsafe sqlite3_reset(statement)
      unsafe sqlite3_clear_bindings(statement)
    }
    for (index, value) in parameters.enumerated() {
      let code = unsafe Self.bind(value, to: statement, at: Int32(index + 1))
      guard code == SQLITE_OK else { throw failure(code) }
    }
    var rows: [[SQLValue]] = []
    while true {
      let code = unsafe sqlite3_step(statement)
      if code == SQLITE_DONE { return rows }
      guard code == SQLITE_ROW else { throw failure(code) }
      let columns = unsafe sqlite3_column_count(statement)
      rows.append((0..<columns).map { unsafe Self.value(statement, $0) })
    }
  }

  /// Runs `body` in one transaction that takes the write lock at once.
  mutating func transaction<Result>(
    _ body: (inout Database) throws(DatabaseFailure) -> Result
  ) throws(DatabaseFailure) -> Result {
    try run("BEGIN IMMEDIATE")
    do throws(DatabaseFailure) {
      let result = try body(&self)
      try run("COMMIT")
      return result
    } catch {
      // Fails where SQLite has rolled back by itself.
      _ = try? run("ROLLBACK")
      throw error
    }
  }

  private mutating func prepare(_ sql: String) throws(DatabaseFailure) -> OpaquePointer? {
    if let known = unsafe statements[sql] { return unsafe known }
    var statement: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK else { throw failure(code) }
    unsafe statements[sql] = statement
    return unsafe statement
  }

  private func failure(_ code: Int32) -> DatabaseFailure {
    let extended = unsafe sqlite3_extended_errcode(handle)
    return DatabaseFailure(
      code: extended & 0xff == code & 0xff ? extended : code,
      message: unsafe String(cString: sqlite3_errmsg(handle)),
      systemError: unsafe sqlite3_system_errno(handle))
  }
}

extension Database {
  private static func bind(
    _ value: SQLValue, to statement: OpaquePointer?, at index: Int32
  ) -> Int32 {
    switch value {
    case .null: unsafe sqlite3_bind_null(statement, index)
    case .integer(let number): unsafe sqlite3_bind_int64(statement, index, number)
    case .text(let text):
      unsafe csqlite_bind_text_copying(statement, index, text, Int32(clamping: text.utf8.count))
    case .blob(let bytes):
      unsafe bytes.withUnsafeBytes {
        unsafe csqlite_bind_blob_copying(
          statement, index, $0.baseAddress, Int32(clamping: $0.count))
      }
    }
  }

  private static func value(_ statement: OpaquePointer?, _ column: Int32) -> SQLValue {
    switch unsafe sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(statement, column))
    case SQLITE_TEXT:
      guard let text = unsafe sqlite3_column_text(statement, column) else { return .null }
      let count = Int(unsafe sqlite3_column_bytes(statement, column))
      let bytes = unsafe UnsafeBufferPointer(start: text, count: count)
      return .text(unsafe String(decoding: bytes, as: UTF8.self))
    case SQLITE_BLOB:
      guard let data = unsafe sqlite3_column_blob(statement, column) else { return .blob([]) }
      let count = Int(unsafe sqlite3_column_bytes(statement, column))
      return .blob(unsafe [UInt8](UnsafeRawBufferPointer(start: data, count: count)))
    default: return .null
    }
  }
}
