internal import Glibc

/// A failed system call: its name, its error number, and the path concerned.
package struct SystemCallFailure: Error, Sendable, Hashable {
  package let call: String
  package let number: Int32
  package let path: String?

  package init(_ call: String, number: Int32 = errno, path: String? = nil) {
    self.call = call
    self.number = number
    self.path = path
  }

  /// Whether trying again later has a chance: descriptors, memory or disk ran short.
  package var isPassing: Bool {
    isDiskFull || [EMFILE, ENFILE, ENOMEM, EAGAIN].contains(number)
  }

  /// Whether the disk or the quota is full (ENOSPC, EDQUOT).
  package var isDiskFull: Bool { number == ENOSPC || number == EDQUOT }

  /// Whether the place is at fault, not what was to be put there: it may not be written, is gone, or
  /// lies elsewhere by now.
  package var isOfPlace: Bool {
    [EACCES, EPERM, EROFS, EXDEV, ENOENT, ENOTDIR, ESTALE].contains(number)
  }

  /// Whether there is no such name (ENOENT).
  package var isMissing: Bool { number == ENOENT }
}

extension SystemCallFailure: CustomStringConvertible {
  /// The C library's text. The corresponding C function is `strerror`.
  package var reason: String { unsafe String(cString: strerror(number)) }

  /// The C library's text (strerror), with call and path.
  package var description: String {
    guard let path else { return "\(call): \(reason)" }
    return "\(call) \(FileName.shown(path)): \(reason)"
  }
}

/// Runs a call that returns -1 on failure, again when a signal interrupted it.
package func retryingOnInterrupt(
  _ call: String, path: String? = nil, _ body: () -> Int
) throws(SystemCallFailure) -> Int {
  while true {
    let result = body()
    if result != -1 { return result }
    let number = errno
    if number != EINTR { throw SystemCallFailure(call, number: number, path: path) }
  }
}

/// The same for calls that return a C int.
package func retryingOnInterrupt(
  _ call: String, path: String? = nil, _ body: () -> Int32
) throws(SystemCallFailure) -> Int32 {
  Int32(truncatingIfNeeded: try retryingOnInterrupt(call, path: path) { Int(body()) })
}
