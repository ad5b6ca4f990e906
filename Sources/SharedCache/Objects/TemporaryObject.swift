package import Files
internal import Glibc

/// A file being filled in the cache's own file system; gone with its owner unless published. Its
/// lock tells the janitor that the owner lives.
package struct TemporaryObject: ~Copyable, Sendable {
  /// Open for reading and writing, at offset 0 when new.
  package let descriptor: Descriptor
  let name: String
  let folder: Directory

  init(descriptor: consuming Descriptor, name: String, folder: consuming Directory) {
    self.descriptor = descriptor
    self.name = name
    self.folder = folder
  }

  /// The same file, for reading only: its bytes stay readable when the object is gone.
  package borrowing func reopen() throws(SystemCallFailure) -> Descriptor {
    try folder.open(name, flags: O_RDONLY)
  }

  deinit {
    // Nothing to be done about a failure here: the janitor comes by.
    try? folder.remove(name)
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
