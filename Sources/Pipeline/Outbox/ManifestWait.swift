package import Files
package import Media

/// Waits for the manifests of jobs that are put in after it began.
package struct ManifestWait: ~Copyable, Sendable {
  private var directory: JobDirectory
  private var watch: DirectoryWatch
  /// Manifests of jobs that arrived before are not what is waited for.
  private let began: Timestamp
  private var pending: Set<JobIdentifier> = []

  private init(directory: JobDirectory, watch: consuming DirectoryWatch) {
    self.directory = directory
    self.watch = watch
    began = .now
  }

  /// Begins to watch the outbox.
  package static func begin(_ directory: JobDirectory) throws(SystemCallFailure) -> ManifestWait {
    ManifestWait(directory: directory, watch: try DirectoryWatch.watch(directory.outbox))
  }

  /// Whether any manifest is still to come.
  package var isPending: Bool { !pending.isEmpty }

  package mutating func expect(_ identifier: JobIdentifier) {
    pending.insert(identifier)
  }

  /// The manifests that have come, waiting for the first of them at most until `deadline`; none
  /// then. A folder that a consumer takes away at once may be missed.
  package mutating func next(
    by deadline: Deadline
  ) throws(SystemCallFailure) -> [PublishedManifest] {
    while true {
      _ = try watch.news()
      try settle()
      let found = take()
      if !found.isEmpty || pending.isEmpty || deadline.hasPassed { return found }
      try watch.wait(milliseconds: min(500, deadline.remaining.millisecondsRoundedUp))
    }
  }

  /// Goes on with the outbox that has the name now.
  private mutating func settle() throws(SystemCallFailure) {
    guard let new = directory.withReplacedOutbox() else { return }
    watch = try DirectoryWatch.watch(new.outbox)
    directory = new
  }

  private mutating func take() -> [PublishedManifest] {
    var found: [PublishedManifest] = []
    for identifier in pending {
      // One that is not there, or not readable, is one to wait for.
      guard
        let manifest = try? PublishedManifest.read(identifier.text, in: directory.outbox),
        let arrived = manifest.arrived, arrived.milliseconds >= began.milliseconds - Self.tolerance
      else { continue }
      found.append(manifest)
      pending.remove(identifier)
    }
    return found
  }

  /// A file's change time comes from a clock that ticks coarsely, in milliseconds.
  private static let tolerance: Int64 = 20
}

extension PublishedManifest {
  /// When its job came.
  var arrived: Timestamp? {
    json.object?["timing"]?.object?["arrived"]?.string.flatMap(Timestamp.init(rfc3339:))
  }

  /// Whether the notification has a picture, or needs none: what `submit --wait` exits 0 for.
  package var isGood: Bool { status == .complete || status == .degraded }
}
