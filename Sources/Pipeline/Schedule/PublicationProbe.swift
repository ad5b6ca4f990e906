internal import Dispatch
internal import Files
internal import Synchronization

/// Measures what publishing costs before the first job comes: by folders that nobody will see.
package struct PublicationProbe: Sendable {
  private let directory: JobDirectory

  private static let parallel = 16

  package init(directory: JobDirectory) {
    self.directory = directory
  }

  /// One publication alone, then several at once. Nil where the directory does not take them.
  package func measure() -> PublicationCost? {
    guard let alone = time(1), let together = time(Self.parallel) else { return nil }
    let each = max(.microseconds(100), (together - alone) / (Self.parallel - 1))
    return PublicationCost(first: max(.microseconds(500), alone - each), each: each)
  }

  private func time(_ count: Int) -> Duration? {
    let failures = Atomic(0)
    let started = ContinuousClock.now
    let threads = BlockingThreads(label: "probe", most: count)
    let group = DispatchGroup()
    for _ in 0..<count {
      group.enter()
      threads.run { [self] in
        defer { group.leave() }
        do throws(SystemCallFailure) {
          try publish()
        } catch {
          failures.add(1, ordering: .relaxed)
        }
      }
    }
    group.wait()
    let time = started.duration(to: .now)
    return failures.load(ordering: .relaxed) == 0 ? time : nil
  }

  /// The steps that `ClaimedJob.publish` takes; what a crash leaves, the janitor takes away.
  private func publish() throws(SystemCallFailure) {
    let name = ".probe.\(Token.make())"
    let folder = try directory.outbox.makeSubdirectory(name, mode: JobDirectory.folderMode)
    defer { try? directory.outbox.removeFolder(name) }
    let bytes = [UInt8](repeating: 0x20, count: 1500)
    let first = try folder.makeFile(PushPayload.fileName, holding: bytes)
    let second = try folder.makeFile(Manifest.fileName, holding: bytes)
    first.startWriting()
    second.startWriting()
    try folder.sync()
    try first.sync()
    try second.sync()
    try directory.syncOutbox()
  }
}
