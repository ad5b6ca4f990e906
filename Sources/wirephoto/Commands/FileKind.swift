import Files
import Glibc

/// What a path names.
enum FileKind {
  /// The corresponding C function is `stat`.
  static func isThere(_ path: String) -> Bool {
    var status = stat()
    return unsafe path.withFileName { unsafe stat($0, &status) } == 0 || errno == EACCES
  }

  /// The corresponding C function is `stat`.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// What keeps the path from being looked at; nil where it is looked at, or is not there. The
  /// corresponding C function is `stat`.
  static func obstacle(_ path: String) -> SystemCallFailure? {
    var status = stat()
    guard unsafe path.withFileName({ unsafe stat($0, &status) }) != 0 else { return nil }
    let failure = SystemCallFailure("stat", path: path)
    return [ENOENT, ENOTDIR].contains(failure.number) ? nil : failure
  }

  /// Whether it is there and neither file nor folder: a device, a FIFO, a socket. The corresponding C
  /// function is `stat`.
  static func isSpecial(_ path: String) -> Bool {
    var status = stat()
    guard unsafe path.withFileName({ unsafe stat($0, &status) }) == 0 else { return false }
    return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }
}
