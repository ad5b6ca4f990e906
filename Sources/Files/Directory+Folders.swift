package import Glibc

extension Directory {
  /// Opens a directory here, made where missing with exactly `mode`, in this directory's group
  /// where the process may set it.
  package borrowing func makeSubdirectory(
    _ name: String, mode: mode_t
  ) throws(SystemCallFailure) -> Directory {
    let isNew = try status(of: name) == nil
    try makeDirectory(name, mode: mode)
    let made = try subdirectory(name)
    let group = try descriptor.fileStatus().group
    if isNew, try made.descriptor.fileStatus().group != group {
      let number = made.descriptor.number
      // A process outside the group may not; the set-group-id bit of the parent is the usual way.
      if fchown(number, uid_t.max, group) == 0 { _ = fchmod(number, mode) }
    }
    return made
  }

  /// Removes a folder and all it holds, `depth` folders deep at most; one that is not there is no
  /// failure. The corresponding C functions are `unlinkat` with and without `AT_REMOVEDIR`.
  package borrowing func removeFolder(
    _ name: String, depth: Int = 8
  ) throws(SystemCallFailure) {
    let number = descriptor.number
    do throws(SystemCallFailure) {
      try subdirectory(name).removeContent(depth: depth)
      _ = try retryingOnInterrupt("rmdir", path: name) {
        unsafe name.withFileName { unsafe unlinkat(number, $0, AT_REMOVEDIR) }
      }
    } catch {
      if error.number != ENOENT { throw error }
    }
  }

  private borrowing func removeContent(depth: Int) throws(SystemCallFailure) {
    // In pieces: a list read while names vanish may pass over some.
    while true {
      var names: [String] = []
      try forEachName { name in
        names.append(name)
        return names.count < 1024
      }
      if names.isEmpty { return }
      for name in names {
        if try status(of: name)?.isDirectory == true, depth > 0 {
          try removeFolder(name, depth: depth - 1)
        } else {
          try remove(name)
        }
      }
    }
  }
}
