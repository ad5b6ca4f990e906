internal import CSystemShims
package import Glibc

/// An open directory: names inside it are used relative to its descriptor, so that a renamed or
/// replaced parent never redirects an operation.
package struct Directory: ~Copyable, Sendable {
  package let descriptor: Descriptor
  /// The path it was opened by, for messages.
  package let path: String

  /// Opens an existing directory. The corresponding C function is `openat` with `O_DIRECTORY`.
  package init(opening path: String) throws(SystemCallFailure) {
    self.descriptor = try Descriptor.open(path, flags: O_RDONLY | O_DIRECTORY)
    self.path = path
  }

  /// Has this value stand for the directory that now has its path: for when the one it was opened for
  /// is gone. The corresponding C function is `dup3`, which no other thread can see half done.
  package borrowing func reopen() throws(SystemCallFailure) {
    let new = try Directory(opening: path)
    let (from, to) = (new.descriptor.number, descriptor.number)
    _ = try retryingOnInterrupt("dup3", path: path) { csystem_replace_descriptor(from, to) }
  }

  /// The same directory, open a second time.
  package borrowing func duplicate() throws(SystemCallFailure) -> Directory {
    Directory(descriptor: try descriptor.duplicate(), path: path)
  }

  private init(descriptor: consuming Descriptor, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Opens a directory in this one.
  package borrowing func subdirectory(_ name: String) throws(SystemCallFailure) -> Directory {
    Directory(
      descriptor: try Descriptor.open(
        name, in: descriptor, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW),
      path: "\(path)/\(name)")
  }

  /// Opens a file in this directory, never through a symbolic link.
  package borrowing func open(
    _ name: String, flags: Int32, mode: mode_t = 0o640
  ) throws(SystemCallFailure) -> Descriptor {
    try Descriptor.open(name, in: descriptor, flags: flags | O_NOFOLLOW, mode: mode)
  }

  /// The corresponding C function is `mkdirat`; an existing directory is no failure.
  package borrowing func makeDirectory(
    _ name: String, mode: mode_t
  ) throws(SystemCallFailure) {
    let number = descriptor.number
    do {
      _ = try retryingOnInterrupt("mkdir", path: name) {
        unsafe name.withFileName { unsafe mkdirat(number, $0, mode) }
      }
    } catch  where error.number == EEXIST {
      return
    }
    // mkdir applies the umask and drops the set-group-id bit.
    _ = try retryingOnInterrupt("chmod", path: name) {
      unsafe name.withFileName { unsafe fchmodat(number, $0, mode, 0) }
    }
  }

  /// The corresponding C function is `renameat2`; `exclusively` fails with EEXIST where the new name
  /// is taken (RENAME_NOREPLACE).
  package borrowing func rename(
    _ name: String, to newName: String, in other: borrowing Directory, exclusively: Bool = false
  ) throws(SystemCallFailure) {
    try rename(name, to: newName, in: other, flags: exclusively ? csystem_rename_noreplace : 0)
  }

  /// Swaps two names at one instant (RENAME_EXCHANGE).
  package borrowing func exchange(
    _ name: String, with otherName: String, in other: borrowing Directory
  ) throws(SystemCallFailure) {
    try rename(name, to: otherName, in: other, flags: csystem_rename_exchange)
  }

  private borrowing func rename(
    _ name: String, to newName: String, in other: borrowing Directory, flags: UInt32
  ) throws(SystemCallFailure) {
    let (from, to) = (descriptor.number, other.descriptor.number)
    _ = try retryingOnInterrupt("rename", path: name) {
      unsafe name.withFileName { name in
        unsafe newName.withFileName { unsafe csystem_renameat2(from, name, to, $0, flags) }
      }
    }
  }

  /// A second name for the same file. The corresponding C function is `linkat`.
  package borrowing func link(
    _ name: String, to newName: String, in other: borrowing Directory
  ) throws(SystemCallFailure) {
    let (from, to) = (descriptor.number, other.descriptor.number)
    _ = try retryingOnInterrupt("link", path: name) {
      unsafe name.withFileName { name in
        unsafe newName.withFileName { unsafe linkat(from, name, to, $0, 0) }
      }
    }
  }

  /// Removes a file's name; one that is not there is no failure. The corresponding C function is
  /// `unlinkat`.
  package borrowing func remove(_ name: String) throws(SystemCallFailure) {
    let number = descriptor.number
    do {
      _ = try retryingOnInterrupt("unlink", path: name) {
        unsafe name.withFileName { unsafe unlinkat(number, $0, 0) }
      }
    } catch  where error.number == ENOENT {}
  }

  /// Makes renames, links and removals in this directory durable. The corresponding C function is
  /// `fsync` on the directory.
  package borrowing func sync() throws(SystemCallFailure) {
    try descriptor.sync()
  }
}
