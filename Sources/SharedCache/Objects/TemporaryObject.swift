package import Files
internal import Glibc

/// A file being filled in the cache's own file system; gone with its owner unless published. Its
/// lock tells the janitor that the owner lives. Where the disk is full it is a file in memory, or
/// becomes one, that is never published.
package struct TemporaryObject: ~Copyable, Sendable {
  /// Open for reading and writing, at offset 0 when new.
  package let descriptor: Descriptor
  /// Nil where it never had a file on the disk.
  let name: String?
  let folder: Directory

  init(descriptor: consuming Descriptor, name: String?, folder: consuming Directory) {
    self.descriptor = descriptor
    self.name = name
    self.folder = folder
  }

  /// The same file, for reading only: its bytes stay readable when the object is gone.
  package borrowing func reopen() throws(SystemCallFailure) -> Descriptor {
    guard let name, try !isInMemory() else { return try descriptor.duplicate() }
    return try folder.open(name, flags: O_RDONLY)
  }

  /// Whether the bytes are held in memory: the descriptor is not, or no longer, that of the file on
  /// the disk.
  package borrowing func isInMemory() throws(SystemCallFailure) -> Bool {
    guard let name else { return true }
    guard let status = try folder.status(of: name) else { return false }
    return try !descriptor.fileStatus().isSameFile(as: status)
  }

  deinit {
    // Nothing to be done about a failure here: the janitor comes by.
    if let name { try? folder.remove(name) }
  }

  /// An empty one in memory, for want of a disk.
  static func inMemory(
    beside root: borrowing Directory
  ) throws(SystemCallFailure) -> TemporaryObject {
    TemporaryObject(
      descriptor: try MemoryFile.create("download"), name: nil, folder: try root.duplicate())
  }

  /// An empty one in `root`'s tmp/.
  static func create(in root: borrowing Directory) throws(SystemCallFailure) -> TemporaryObject {
    let folder = try root.subdirectory(CacheLayout.temporaries)
    while true {
      let name = "\(getpid())-\(UInt64.random(in: .min ... .max))"
      let descriptor: Descriptor
      do {
        descriptor = try folder.open(name, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o640)
      } catch  where error.number == EEXIST {
        continue
      }
      let temporary = TemporaryObject(descriptor: descriptor, name: name, folder: folder)
      // Waits at most for a janitor's glance: it leaves young files alone.
      _ = try temporary.descriptor.lock(within: .seconds(1))
      return temporary
    }
  }
}
