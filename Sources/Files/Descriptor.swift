internal import CSystemShims
package import Glibc

/// An open file descriptor with one owner; closed when the owner ends.
package struct Descriptor: ~Copyable, Sendable {
  /// The number the kernel knows it by; not to be closed by the caller.
  package let number: Int32

  /// Takes over a descriptor that nobody else will close.
  package init(adopting number: Int32) {
    self.number = number
  }

  deinit {
    close(number)
  }

  /// Gives up ownership: the caller closes.
  package consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// A second descriptor of the same open file. The corresponding C function is `fcntl(F_DUPFD_CLOEXEC)`.
  package borrowing func duplicate() throws(SystemCallFailure) -> Descriptor {
    let number = number
    return Descriptor(
      adopting: try retryingOnInterrupt("dup") { fcntl(number, F_DUPFD_CLOEXEC, 3) })
  }

  /// Opens `path` close-on-exec. The corresponding C function is `open`.
  package static func open(
    _ path: String, flags: Int32, mode: mode_t = 0
  ) throws(SystemCallFailure) -> Descriptor {
    try open(path, at: AT_FDCWD, flags: flags, mode: mode)
  }

  /// Opens `path` relative to an open directory, close-on-exec. The corresponding C function is
  /// `openat`.
  package static func open(
    _ path: String, in directory: borrowing Descriptor, flags: Int32, mode: mode_t = 0
  ) throws(SystemCallFailure) -> Descriptor {
    try open(path, at: directory.number, flags: flags, mode: mode)
  }

  private static func open(
    _ path: String, at base: Int32, flags: Int32, mode: mode_t
  ) throws(SystemCallFailure) -> Descriptor {
    Descriptor(
      adopting: try retryingOnInterrupt("open", path: path) {
        unsafe path.withFileName { unsafe csystem_openat(base, $0, flags, mode) }
      })
  }
}
