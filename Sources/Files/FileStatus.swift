package import Glibc

/// What the kernel tells of a file. The corresponding C structure is `stat`.
package struct FileStatus: Sendable, Hashable {
  package let device: UInt64
  package let inode: UInt64
  /// Type and permissions, as in `st_mode`.
  package let mode: mode_t
  package let owner: uid_t
  package let group: gid_t
  /// How many names the file has.
  package let links: Int
  /// Bytes.
  package let size: Int
  /// Last change of content, nanoseconds since 1970.
  package let modified: Int64
  /// Last change of content, name or owner, nanoseconds since 1970.
  package let changed: Int64

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    mode = status.st_mode
    owner = status.st_uid
    group = status.st_gid
    links = Int(clamping: status.st_nlink)
    size = Int(status.st_size)
    modified = Self.nanoseconds(status.st_mtim)
    changed = Self.nanoseconds(status.st_ctim)
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    let seconds = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    return seconds.overflow ? .max : seconds.partialValue &+ Int64(time.tv_nsec)
  }

  package func isSameFile(as other: FileStatus) -> Bool {
    inode == other.inode && device == other.device
  }

  package var isDirectory: Bool { mode & S_IFMT == S_IFDIR }
  package var isRegularFile: Bool { mode & S_IFMT == S_IFREG }
  /// The twelve permission bits.
  package var permissions: mode_t { mode & 0o7777 }
}

extension Descriptor {
  /// The corresponding C function is `fstat`.
  package borrowing func fileStatus() throws(SystemCallFailure) -> FileStatus {
    FileStatus(try status())
  }

  /// The corresponding C function is `fchmod`.
  package borrowing func setPermissions(_ mode: mode_t) throws(SystemCallFailure) {
    let number = number
    _ = try retryingOnInterrupt("fchmod") { fchmod(number, mode) }
  }

  /// Sets the time of last change, milliseconds since 1970. The corresponding C function is
  /// `futimens`.
  package borrowing func setModified(milliseconds: Int64) throws(SystemCallFailure) {
    let number = number
    let time = timespec(
      tv_sec: Int(milliseconds / 1000), tv_nsec: Int(milliseconds % 1000) * 1_000_000)
    _ = try retryingOnInterrupt("futimens") {
      unsafe withUnsafeTemporaryAllocation(of: timespec.self, capacity: 2) { times in
        unsafe times.initialize(repeating: time)
        return unsafe futimens(number, times.baseAddress)
      }
    }
  }
}

extension Directory {
  /// What the kernel tells of the directory that has this one's path now. The corresponding C
  /// function is `stat`.
  package borrowing func namesake() throws(SystemCallFailure) -> FileStatus {
    var status = stat()
    _ = try retryingOnInterrupt("stat", path: path) { unsafe stat(path, &status) }
    return FileStatus(status)
  }

  /// Whether this is still the directory that has its path; not so either where that cannot be told.
  package var isInPlace: Bool {
    guard let held = try? descriptor.fileStatus(), let named = try? namesake() else { return false }
    return held.isSameFile(as: named)
  }

  /// What the kernel tells of a name here, never through a symbolic link; nil when there is none.
  /// The corresponding C function is `fstatat`.
  package borrowing func status(of name: String) throws(SystemCallFailure) -> FileStatus? {
    let number = descriptor.number
    var status = stat()
    do {
      _ = try retryingOnInterrupt("stat", path: name) {
        unsafe name.withFileName { unsafe fstatat(number, $0, &status, AT_SYMLINK_NOFOLLOW) }
      }
    } catch  where error.number == ENOENT {
      return nil
    }
    return FileStatus(status)
  }
}
