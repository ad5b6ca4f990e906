package import Files
internal import Glibc
internal import Media

/// A job directory (contract §3): its folders, open. The state of a job is the folder that its file
/// is in; the lease of a claimed one is a lock on the file.
package final class JobDirectory: Sendable {
  package let path: String
  package let root: Directory
  package let temporaries: Directory
  package let incoming: Directory
  package let active: Directory
  package let done: Directory
  package let failed: Directory
  package let outbox: Directory
  /// One symbolic link an id: its last generation, for consumers that remove folders.
  let generations: Directory
  /// One symbolic link a payload that was handed back: when it was delivered first.
  let handedBack: Directory
  /// One file an id: what its results came from, for erasing what is its alone.
  let sources: Directory
  /// Files to lock, by a hash of the id, while a folder gets its final name.
  let locks: Directory
  /// Shared by the threads that publish.
  let outboxSync = SharedSync()

  static let folderMode: mode_t = 0o2770
  static let fileMode: mode_t = 0o640
  private static let lockCount: UInt32 = 64

  private init(
    root: consuming Directory, temporaries: consuming Directory, incoming: consuming Directory,
    active: consuming Directory, done: consuming Directory, failed: consuming Directory,
    outbox: consuming Directory, generations: consuming Directory,
    handedBack: consuming Directory, sources: consuming Directory, locks: consuming Directory
  ) {
    path = root.path
    self.root = root
    self.temporaries = temporaries
    self.incoming = incoming
    self.active = active
    self.done = done
    self.failed = failed
    self.outbox = outbox
    self.generations = generations
    self.handedBack = handedBack
    self.sources = sources
    self.locks = locks
  }

  /// The folders that are made in it, by name.
  package static let folders = [
    "tmp", "incoming", "active", "done", "failed", "outbox", ".generations", ".handed-back",
    ".sources", ".locks",
  ]

  /// Opens the directory, which must exist, and makes the folders that are missing.
  package static func open(_ path: String) throws(SystemCallFailure) -> JobDirectory {
    try open(path) { root throws(SystemCallFailure) in
      try root.makeSubdirectory("active", mode: folderMode)
    }
  }

  /// The same with active/ as `active` has it.
  static func open(
    _ path: String, active: (borrowing Directory) throws(SystemCallFailure) -> Directory
  ) throws(SystemCallFailure) -> JobDirectory {
    let root = try Directory(opening: path)
    return JobDirectory(
      root: try Directory(opening: path),
      temporaries: try root.makeSubdirectory("tmp", mode: folderMode),
      incoming: try root.makeSubdirectory("incoming", mode: folderMode),
      active: try active(root),
      done: try root.makeSubdirectory("done", mode: folderMode),
      failed: try root.makeSubdirectory("failed", mode: folderMode),
      outbox: try root.makeSubdirectory("outbox", mode: folderMode),
      generations: try root.makeSubdirectory(".generations", mode: folderMode),
      handedBack: try root.makeSubdirectory(".handed-back", mode: folderMode),
      sources: try root.makeSubdirectory(".sources", mode: folderMode),
      locks: try root.makeSubdirectory(".locks", mode: folderMode))
  }

  /// Whether any payload waits or is being worked on.
  package func hasWork() throws(SystemCallFailure) -> Bool {
    var found = false
    try incoming.forEachName { name in
      found = PayloadFileName(name) != nil
      return !found
    }
    if !found {
      try active.forEachName { name in
        found = ActiveName(name) != nil
        return !found
      }
    }
    return found
  }

  /// Runs `body` while no other process or thread publishes for this id.
  func whileLocked<Result>(
    _ identifier: JobIdentifier, _ body: () throws(SystemCallFailure) -> Result
  ) throws(SystemCallFailure) -> Result {
    // FNV-1a: it only spreads ids over a few files.
    let hash = identifier.text.utf8.reduce(UInt32(2_166_136_261)) {
      ($0 ^ UInt32($1)) &* 16_777_619
    }
    let lock = try locks.open(
      String(hash % Self.lockCount), flags: O_RDWR | O_CREAT, mode: 0o660)
    try lock.lock()
    return try body()
  }
}

extension Directory {
  /// Writes a whole file under a name of its own, 0640 whatever the umask.
  borrowing func writeFile(
    _ name: String, _ bytes: [UInt8], isDurable: Bool
  ) throws(SystemCallFailure) {
    let file = try makeFile(name, holding: bytes)
    if isDurable { try file.sync() }
  }

  /// The same; the file stays open, to be synced.
  borrowing func makeFile(
    _ name: String, holding bytes: [UInt8]
  ) throws(SystemCallFailure) -> Descriptor {
    let file = try open(name, flags: O_WRONLY | O_CREAT | O_EXCL, mode: JobDirectory.fileMode)
    try file.setPermissions(JobDirectory.fileMode)
    try file.write(bytes)
    return file
  }
}

/// Names that no other process makes.
enum Token {
  static let length = 16

  /// 16 hexadecimal digits from the system's random numbers.
  static func make() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: length - digits.count) + digits
  }
}
