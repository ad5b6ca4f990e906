internal import Files
internal import Glibc
internal import Media
internal import SharedCache

/// `warm/` in the cache directory: the lock of the run, journals, documents, hosts that asked to
/// wait. All of it can be lost: that costs requests only.
struct WarmFolder: ~Copyable, Sendable {
  static let name = "warm"
  static let documents = "documents"
  private static let mode: mode_t = 0o2770
  static let fileMode: mode_t = 0o660

  let folder: Directory

  private init(_ folder: consuming Directory) {
    self.folder = folder
  }

  static func open(cache: String) throws(SystemCallFailure) -> WarmFolder {
    let root = try Directory(opening: cache)
    try root.makeDirectory(name, mode: mode)
    let folder = try root.subdirectory(name)
    try folder.makeDirectory(documents, mode: mode)
    return WarmFolder(folder)
  }

  /// Nil where there is none.
  static func existing(cache: String) -> WarmFolder? {
    guard let root = try? Directory(opening: cache), let folder = try? root.subdirectory(name)
    else {
      return nil
    }
    return WarmFolder(folder)
  }

  /// The sole right to warm this cache, for as long as the descriptor is open; nil where another
  /// process has it.
  borrowing func lock() throws(SystemCallFailure) -> Descriptor? {
    let file = try folder.open("lock", flags: O_RDWR | O_CREAT, mode: Self.fileMode)
    try? file.setPermissions(Self.fileMode)
    guard try file.tryLock() else { return nil }
    return consume file
  }
}

extension Directory {
  /// Puts a whole file under a name: readers see all of the old or all of the new. One writer at a
  /// time.
  borrowing func replace(_ name: String, with bytes: [UInt8]) throws(SystemCallFailure) {
    let temporary = ".\(name).partial"
    let file = try open(
      temporary, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: WarmFolder.fileMode)
    try file.write(bytes)
    try rename(temporary, to: name, in: self)
  }

  /// A file's bytes; nil where there is none, or more than `limit`.
  borrowing func contents(of name: String, limit: Int) -> [UInt8]? {
    guard let file = try? open(name, flags: O_RDONLY) else { return nil }
    return try? file.readToEnd(limit: limit)
  }

  /// Removes the oldest files here until at most `bytes` are left, and what is older than `age`
  /// milliseconds.
  borrowing func prune(to bytes: Int, olderThan age: Int64, now: Int64) {
    var files: [(name: String, modified: Int64, size: Int)] = []
    try? forEachName { name in
      if let status = try? self.status(of: name), status.isRegularFile {
        files.append((name, status.modified / 1_000_000, status.size))
      }
      return true
    }
    files.sort { $0.modified > $1.modified }
    var total = 0
    for file in files {
      total += file.size
      if total > bytes || now - file.modified > age { try? remove(file.name) }
    }
  }
}
