package import Glibc

/// Puts whole files under their names: readers see all of one or nothing.
package enum NewFile {
  /// Writes `bytes` beside `path`, then gives them its name. Without `overwriting` a taken name fails
  /// with EEXIST and stays as it was. The corresponding C functions are `link` and `rename`.
  package static func write(
    _ bytes: [UInt8], to path: String, overwriting: Bool, mode: mode_t = 0o644
  ) throws(SystemCallFailure) {
    let temporary = "\(path).\(getpid())-\(UInt32.random(in: .min ... .max)).partial"
    let file = try Descriptor.open(temporary, flags: O_WRONLY | O_CREAT | O_EXCL, mode: mode)
    do throws(SystemCallFailure) {
      try file.write(bytes)
      if overwriting {
        _ = try retryingOnInterrupt("rename", path: path) {
          unsafe temporary.withFileName { old in
            unsafe path.withFileName { unsafe rename(old, $0) }
          }
        }
      } else {
        _ = try retryingOnInterrupt("link", path: path) {
          unsafe temporary.withFileName { old in
            unsafe path.withFileName { unsafe link(old, $0) }
          }
        }
        _ = unsafe temporary.withFileName { unsafe unlink($0) }
      }
    } catch {
      _ = unsafe temporary.withFileName { unsafe unlink($0) }
      throw error
    }
  }
}
