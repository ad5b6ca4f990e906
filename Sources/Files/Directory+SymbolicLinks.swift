internal import Glibc

extension Directory {
  /// The directory's path without symbolic links, as it is now. The corresponding C function is
  /// `realpath`.
  package borrowing func resolvedPath() throws(SystemCallFailure) -> String {
    guard let resolved = unsafe realpath(path, nil) else {
      throw SystemCallFailure("realpath", path: path)
    }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Makes a symbolic link. The corresponding C function is `symlinkat`.
  package borrowing func makeSymbolicLink(
    _ name: String, to target: String
  ) throws(SystemCallFailure) {
    let number = descriptor.number
    _ = try retryingOnInterrupt("symlink", path: name) {
      unsafe target.withFileName { target in
        unsafe name.withFileName { unsafe symlinkat(target, number, $0) }
      }
    }
  }

  /// What a symbolic link names, up to 255 bytes; nil where there is no link. The corresponding C
  /// function is `readlinkat`.
  package borrowing func symbolicLinkTarget(
    of name: String
  ) throws(SystemCallFailure) -> String? {
    let number = descriptor.number
    var bytes = [CChar](repeating: 0, count: 256)
    do throws(SystemCallFailure) {
      let count = try retryingOnInterrupt("readlink", path: name) { () -> Int in
        unsafe bytes.withUnsafeMutableBufferPointer { buffer in
          guard let start = buffer.baseAddress else { return 0 }
          return unsafe name.withFileName {
            unsafe readlinkat(number, $0, start, buffer.count)
          }
        }
      }
      return FileName.text(bytes[..<count].map { UInt8(bitPattern: $0) })
    } catch {
      if error.number == ENOENT || error.number == EINVAL { return nil }
      throw error
    }
  }
}
