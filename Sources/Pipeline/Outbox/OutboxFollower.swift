package import Files
internal import Media

/// Results as they appear in the outbox (`outbox follow`): first those that are there, then each
/// new one, also one that replaces another.
package struct OutboxFollower: ~Copyable, Sendable {
  private var directory: JobDirectory
  private var watch: DirectoryWatch
  /// Folders told of, by name: so that none is told twice, whether announced or found.
  private var told: [String: UInt64] = [:]
  private var mustRead = true
  private var nextReading = ContinuousClock.now

  private static let rescanInterval = Duration.seconds(5)

  private init(directory: JobDirectory, watch: consuming DirectoryWatch) {
    self.directory = directory
    self.watch = watch
  }

  package static func open(
    _ directory: JobDirectory
  ) throws(SystemCallFailure) -> OutboxFollower {
    OutboxFollower(
      directory: directory,
      watch: try DirectoryWatch.watch(directory.outbox, in: directory.root))
  }

  /// Waits until there may be news, at most as long as told.
  package borrowing func wait(upTo duration: Duration) throws(SystemCallFailure) {
    let rest = max(.zero, ContinuousClock.now.duration(to: nextReading))
    try watch.wait(milliseconds: min(duration, rest).millisecondsRoundedUp)
  }

  /// The manifests that were not told of before. One whose folder is taken away meanwhile is left
  /// out.
  package mutating func news() throws(SystemCallFailure) -> [PublishedManifest] {
    let news = try watch.news()
    if news.isIncomplete || ContinuousClock.now >= nextReading { mustRead = true }
    if news.isDisplaced || mustRead { try settle() }
    var names = news.arrived
    if mustRead {
      var present: Set<String> = []
      try directory.outbox.forEachName { name in
        present.insert(name)
        return true
      }
      names = names.filter { !present.contains($0) } + present.sorted()
      told = told.filter { present.contains($0.key) }
      nextReading = .now.advanced(by: Self.rescanInterval)
      mustRead = false
    }
    var manifests: [PublishedManifest] = []
    for name in names where !name.hasPrefix(".") {
      if let manifest = try manifestIfNew(name) { manifests.append(manifest) }
    }
    return manifests
  }

  /// Goes on with the outbox that has the name now. While there is none, there is no news.
  private mutating func settle() throws(SystemCallFailure) {
    guard let new = directory.withReplacedOutbox() else { return }
    watch = try DirectoryWatch.watch(new.outbox, in: new.root)
    directory = new
    mustRead = true
  }

  private mutating func manifestIfNew(
    _ name: String
  ) throws(SystemCallFailure) -> PublishedManifest? {
    guard let status = try directory.outbox.status(of: name), status.isDirectory,
      told[name] != status.inode,
      let manifest = try? PublishedManifest.read(name, in: directory.outbox)
    else { return nil }
    told[name] = status.inode
    return manifest
  }
}

extension JobDirectory {
  /// The result of an id as it lies in the outbox (`jobs show`, `submit --wait`); nil when there is
  /// none.
  package func result(of identifier: JobIdentifier) -> PublishedManifest? {
    try? PublishedManifest.read(identifier.text, in: outbox)
  }
}
