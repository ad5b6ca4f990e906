package import Files
package import Media

/// A file that a manifest names, and how it gets into the folder.
package struct OutboxFile: Sendable {
  package let name: String
  /// Puts the file into an open folder under a name, durably: a link of a cached picture, or a copy.
  package let place: @Sendable (borrowing Directory, String) throws(Problem) -> Void

  package init(
    name: String,
    place: @escaping @Sendable (borrowing Directory, String) throws(Problem) -> Void
  ) {
    self.name = name
    self.place = place
  }
}

/// Why nothing was published.
package enum PublishFailure: Error, Sendable, Hashable {
  /// A file could not be put into the folder: another manifest, without it, may be published.
  case file(Problem)
  /// The outbox could not be written: full, or the environment is at fault.
  case outbox(SystemCallFailure)
}

/// What became of an attempt to publish.
package enum PublishOutcome: Sendable, Hashable {
  case published(generation: Int)
  /// A later payload of the same id was published before.
  case superseded
  /// The payload was removed meanwhile.
  case cancelled
}
