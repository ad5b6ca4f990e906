internal import CSystemShims
internal import Glibc

extension Descriptor {
  /// Shares the blocks of `other`, copy on write; false where the file system cannot. The
  /// corresponding C function is `ioctl` with `FICLONE`.
  package borrowing func clone(from other: borrowing Descriptor) -> Bool {
    csystem_clone_file(number, other.number) == 0
  }

  /// Claims disk space ahead of writing, so that a full disk shows now. The corresponding C function
  /// is `posix_fallocate`.
  package borrowing func reserve(_ count: Int) throws(SystemCallFailure) {
    guard count > 0 else { return }
    let result = posix_fallocate(number, 0, count)
    guard result == 0 else { throw SystemCallFailure("posix_fallocate", number: result) }
  }
}
