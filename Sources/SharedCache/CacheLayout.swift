internal import Files
internal import Glibc

extension SharedCache {
  /// The folders that are made in a cache, by name.
  package static let folders = CacheLayout.folders
}

/// The directories under a cache, and who may use them.
enum CacheLayout {
  static let directoryMode: mode_t = 0o2770
  static let objectMode: mode_t = 0o440
  static let sharedFileMode: mode_t = 0o660
  static let temporaries = "tmp"
  static let locks = "locks"
  static let quarantine = "quarantine"
  static let folders = ["objects", "originals", temporaries, locks, quarantine]

  /// Opens `path`, made where missing together with its folders.
  static func open(_ path: String) throws(CacheFailure) -> Directory {
    let root: Directory
    do throws(SystemCallFailure) {
      try makeRoot(path)
      root = try Directory(opening: path)
    } catch {
      throw unusable(error)
    }
    try checkOwner(root)
    do throws(SystemCallFailure) {
      for folder in folders { try root.makeDirectory(folder, mode: directoryMode) }
    } catch {
      throw unusable(error)
    }
    guard unsafe access(path, W_OK | X_OK) == 0 else {
      throw unusable(SystemCallFailure("access", path: path))
    }
    return root
  }

  private static func makeRoot(_ path: String) throws(SystemCallFailure) {
    do {
      _ = try retryingOnInterrupt("mkdir", path: path) { unsafe mkdir(path, directoryMode) }
    } catch  where error.number == EEXIST {
      return
    }
    // mkdir applies the umask and drops the set-group-id bit.
    _ = try retryingOnInterrupt("chmod", path: path) { unsafe chmod(path, directoryMode) }
  }

  /// A user other than the owner would leave files that the owner cannot remove: refused, unless
  /// the directory is set up for its group and the user is of that group.
  private static func checkOwner(_ root: borrowing Directory) throws(CacheFailure) {
    let status = try inCache { () throws(SystemCallFailure) in
      try root.descriptor.fileStatus()
    }
    guard status.owner != geteuid() else { return }
    guard status.permissions & directoryMode == directoryMode, isMember(of: status.group) else {
      throw .notOwner(directory: root.path, owner: status.owner)
    }
  }

  private static func isMember(of group: gid_t) -> Bool {
    if getegid() == group { return true }
    let count = getgroups(0, nil)
    guard count > 0 else { return false }
    var groups = [gid_t](repeating: 0, count: Int(count))
    let filled = unsafe getgroups(count, &groups)
    return groups.prefix(Int(max(filled, 0))).contains(group)
  }

  private static func unusable(_ failure: SystemCallFailure) -> CacheFailure {
    failure.isDiskFull ? .diskFull(failure.description) : .unusableDirectory(failure.description)
  }
}
