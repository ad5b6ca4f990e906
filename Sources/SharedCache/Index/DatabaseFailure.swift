internal import CSQLite
internal import Glibc

/// A failed SQLite call: its extended result code and message.
struct DatabaseFailure: Error, Sendable, Hashable {
  let code: Int32
  let message: String
  /// The error number of the system call behind it, 0 where there was none.
  let systemError: Int32

  private var primary: Int32 { code & 0xff }

  var isDiskFull: Bool {
    primary == SQLITE_FULL || systemError == ENOSPC || systemError == EDQUOT
  }

  /// Another process holds the lock: not a fault of the file.
  var isBusy: Bool { primary == SQLITE_BUSY || primary == SQLITE_LOCKED }

  /// Whether the file should be made anew: what it says cannot be trusted or read.
  var isDamage: Bool {
    if isDiskFull || isBusy { return false }
    switch primary {
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_MISMATCH: return true
    case SQLITE_IOERR: return systemError == EIO || code == Self.shortRead
    default: return false
    }
  }

  /// SQLITE_IOERR_SHORT_READ: the file was cut under the connection.
  private static let shortRead: Int32 = SQLITE_IOERR | (2 << 8)

  var asCacheFailure: CacheFailure {
    let text = "sqlite \(code): \(message)"
    return isDiskFull ? .diskFull(text) : .indexUnavailable(text)
  }
}
