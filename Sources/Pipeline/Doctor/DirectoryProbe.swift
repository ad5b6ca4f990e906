internal import Files
internal import Glibc

/// Whether a directory's file system does what jobs and cache rest on.
enum DirectoryProbe {
  /// File systems whose locks or renames do not hold between machines (statfs(2), linux/magic.h).
  private static let remote: [Int: String] = [
    0x6969: "nfs", 0xFF53_4D42: "cifs", 0xFE53_4D42: "smb2", 0x517B: "smb", 0x0065_735546: "fuse",
    0x0102_1997: "9p", 0x00C3_6400: "ceph",
  ]

  static func findings(subject: String, path: String) -> [DoctorFinding] {
    [
      finding("\(subject) file system", path) { folder throws(SystemCallFailure) in
        if let name = remote[try folder.fileSystemType()] {
          return (.warning, "\(name): locks may not hold between machines")
        }
        return (.ok, "local")
      },
      finding("\(subject) links", path) { folder throws(SystemCallFailure) in
        try make(folder, "a")
        try folder.link(name("a"), to: name("b"), in: folder)
        return (.ok, "hard links work")
      },
      finding("\(subject) exchange", path) { folder throws(SystemCallFailure) in
        try make(folder, "a")
        try make(folder, "b")
        try folder.exchange(name("a"), with: name("b"), in: folder)
        return (.ok, "names can be exchanged")
      },
      finding("\(subject) locks", path) { folder throws(SystemCallFailure) in
        try make(folder, "a")
        let first = try folder.open(name("a"), flags: O_RDWR)
        let second = try folder.open(name("a"), flags: O_RDWR)
        let isHeld = try first.tryLock()
        let isShared = try second.tryLock()
        return isHeld && !isShared ? (.ok, "locks exclude") : (.failed, "locks do not exclude")
      },
    ]
  }

  /// How pictures of the cache reach the outbox; nothing before a worker made both.
  static func linkFinding(from cache: String, to outbox: String) -> DoctorFinding? {
    guard isThere(cache), isThere(outbox) else { return nil }
    return finding("cache to outbox", cache) { folder throws(SystemCallFailure) in
      let target = try Directory(opening: outbox)
      defer { remove(target) }
      try make(folder, "a")
      do throws(SystemCallFailure) {
        try folder.link(name("a"), to: name("b"), in: target)
        return (.ok, "hard links: the consumer's files cost no space")
      } catch {
        return (.warning, "copies: \(error)")
      }
    }
  }

  private static func isThere(_ path: String) -> Bool {
    do throws(SystemCallFailure) {
      _ = try Directory(opening: path)
      return true
    } catch {
      // Whatever else is wrong is to be told.
      return !error.isMissing
    }
  }

  private static func finding(
    _ subject: String, _ path: String,
    _ body: (borrowing Directory) throws(SystemCallFailure) -> (DoctorFinding.State, String)
  ) -> DoctorFinding {
    do throws(SystemCallFailure) {
      let folder = try Directory(opening: path)
      defer { remove(folder) }
      let (state, detail) = try body(folder)
      return DoctorFinding(subject: subject, state: state, detail: detail)
    } catch {
      return DoctorFinding(subject: subject, state: .failed, detail: "\(error)")
    }
  }

  private static func name(_ suffix: String) -> String { ".doctor-\(getpid())-\(suffix)" }

  private static func make(
    _ folder: borrowing Directory, _ suffix: String
  ) throws(SystemCallFailure) {
    _ = try folder.open(name(suffix), flags: O_RDWR | O_CREAT | O_EXCL)
  }

  private static func remove(_ folder: borrowing Directory) {
    for suffix in ["a", "b"] { try? folder.remove(name(suffix)) }
  }
}
