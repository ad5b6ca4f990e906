internal import Files
internal import Glibc

/// The file behind the memory that SQLite shares among processes (`index.sqlite-shm`).
///
/// SQLite makes room for it by one byte in each 4,096. Where blocks are smaller the file has holes,
/// and a write to the memory above a hole ends the process (SIGBUS) once the disk is full.
enum SharedMemoryFile {
  private static let pageBytes = 4096

  /// Fills the holes. False when the disk has no room for them.
  static func fillHoles(in root: borrowing Directory) -> Bool {
    guard let blockBytes = try? root.blockBytes(), blockBytes < pageBytes,
      let status = try? root.status(of: "\(CacheIndex.fileName)-shm"), status.size > 0,
      let number = openNumber(of: status)
    else { return true }
    return posix_fallocate(number, 0, off_t(status.size)) != ENOSPC
  }

  /// SQLite's own descriptor: to close one of ours would give up the locks that SQLite holds on the
  /// file (fcntl, per process).
  private static func openNumber(of file: FileStatus) -> Int32? {
    guard let open = try? Directory(opening: "/proc/self/fd") else { return nil }
    var found: Int32?
    try? open.forEachName { name in
      var status = stat()
      guard let number = Int32(name), unsafe fstat(number, &status) == 0,
        UInt64(status.st_ino) == file.inode, UInt64(status.st_dev) == file.device
      else { return true }
      found = number
      return false
    }
    return found
  }
}
