internal import Files
internal import Glibc
internal import Synchronization

/// Immutable files named by their content: `objects/ab/<sha256>.<ext>` and `originals/ab/<sha256>`.
/// Calls block on the disk.
final class ObjectStore: Sendable {
  let root: Directory
  private let verified = Mutex(VerifiedFiles())

  init(root: consuming Directory) {
    self.root = root
  }

  /// Opens an object that is whole: its SHA-256 is its name's, now or less than a minute ago. A
  /// damaged one goes to quarantine/.
  func open(_ name: ObjectName) throws(CacheFailure) -> Descriptor {
    let file = try openFile(name)
    let status = try inCache { () throws(SystemCallFailure) in try file.fileStatus() }
    guard status.isRegularFile else {
      quarantine(name, inode: status.inode)
      throw .damaged(name)
    }
    if verified.withLock({ $0.contains(name, status) }) { return file }
    do throws(SystemCallFailure) {
      guard try file.contentHash().hash == name.hash else { throw .init("hash", number: EIO) }
    } catch {
      // Bytes that cannot be read are as good as wrong ones.
      guard error.number == EIO else { throw CacheFailure(error) }
      quarantine(name, inode: status.inode)
      throw .damaged(name)
    }
    verified.withLock { $0.insert(name, status) }
    return file
  }

  /// What cannot be opened as a file (a symbolic link, a socket, a file that nobody may read) is set
  /// aside like damaged bytes.
  private func openFile(_ name: ObjectName) throws(CacheFailure) -> Descriptor {
    do throws(CacheFailure) {
      return try openUnverified(name)
    } catch {
      guard case .systemCall(let failure) = error,
        [ELOOP, ENXIO, EACCES].contains(failure.number),
        let status = try status(of: name)
      else { throw error }
      quarantine(name, inode: status.inode)
      throw .damaged(name)
    }
  }

  func openUnverified(_ name: ObjectName) throws(CacheFailure) -> Descriptor {
    do throws(SystemCallFailure) {
      return try Descriptor.open(
        name.relativePath, in: root.descriptor, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    } catch {
      throw error.number == ENOENT ? .missing(name) : CacheFailure(error)
    }
  }

  /// Nil where there is no such object.
  func status(of name: ObjectName) throws(CacheFailure) -> FileStatus? {
    try inCache { () throws(SystemCallFailure) in try root.status(of: name.relativePath) }
  }

  func remove(_ name: ObjectName) throws(CacheFailure) {
    verified.withLock { $0.remove(name) }
    try inCache { () throws(SystemCallFailure) in try root.remove(name.relativePath) }
  }

  /// The directory an object lives in, made where missing.
  func shard(of name: ObjectName) throws(SystemCallFailure) -> Directory {
    let path = "\(name.area.rawValue)/\(name.shard)"
    do {
      return try root.subdirectory(path)
    } catch  where [ENOENT, ENOTDIR, ELOOP].contains(error.number) {
      try root.makeDirectory(name.area.rawValue, mode: CacheLayout.directoryMode)
      if error.number != ENOENT { try setAside(path, as: name.shard) }
      try root.makeDirectory(path, mode: CacheLayout.directoryMode)
      try root.subdirectory(name.area.rawValue).sync()
      return try root.subdirectory(path)
    }
  }

  /// Has the next reader hash the file.
  func distrust(_ name: ObjectName) {
    verified.withLock { $0.remove(name) }
  }

  func remember(_ name: ObjectName, _ status: FileStatus) {
    verified.withLock { $0.insert(name, status) }
  }

  /// Sets a damaged file aside, unless another process has put a new one in its place.
  private func quarantine(_ name: ObjectName, inode: UInt64) {
    verified.withLock { $0.remove(name) }
    // A failure leaves the file where it is: the next reader finds it damaged again.
    guard let status = try? root.status(of: name.relativePath), status.inode == inode else {
      return
    }
    try? setAside(name.relativePath, as: name.fileName)
  }

  private func setAside(_ path: String, as name: String) throws(SystemCallFailure) {
    try root.makeDirectory(CacheLayout.quarantine, mode: CacheLayout.directoryMode)
    let place = "\(CacheLayout.quarantine)/\(name)"
    do {
      try root.rename(path, to: place, in: root, exclusively: true)
    } catch  where error.number == EEXIST {
      // A directory cannot take a file's place, nor a file a directory's.
      try root.rename(path, to: "\(place).\(UInt64.random(in: .min ... .max))", in: root)
    }
  }
}
