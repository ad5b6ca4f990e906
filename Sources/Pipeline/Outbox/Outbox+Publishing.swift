internal import Files
internal import Glibc
internal import Media

extension ClaimedJob {
  /// Publishes a manifest with its files: all of it or nothing. The folder is durable when this
  /// returns; then, and also when it was superseded or cancelled, the job is to be finished. After a
  /// failure another manifest may be published instead.
  ///
  /// The steps, each of which a crash may follow: the folder is staged under a dot-name and synced;
  /// the job's name is marked with it; the id's generation is recorded; the folder gets its name;
  /// the outbox is synced. Until the mark the job is simply done again. After it, recovery gives the
  /// folder its name when it still has the staged one, and else only finishes the job.
  package mutating func publish(
    _ manifest: Manifest, files: [OutboxFile] = [], sources: JobSources = JobSources()
  ) throws(PublishFailure) -> PublishOutcome {
    directory = directory.follow()
    let (directory, identifier) = (directory, identifier)
    guard try Self.inOutbox({ () throws(SystemCallFailure) in try !isCancelled() }) else {
      return .cancelled
    }
    var staged = try Self.inOutbox { () throws(SystemCallFailure) in
      try StagedFolder.make(for: identifier, in: directory)
    }
    do throws(Problem) {
      for file in files { try file.place(staged.folder, file.name) }
    } catch { throw .file(error) }
    return try Self.inOutbox { () throws(SystemCallFailure) in
      let outcome = try directory.whileLocked(identifier) { () throws(SystemCallFailure) in
        try name(&staged, manifest, sources)
      }
      guard case .published = outcome else { return outcome }
      try directory.syncOutbox()
      try directory.removeReplaced(staged.name)
      return outcome
    }
  }

  private static func inOutbox<Result: ~Copyable>(
    _ body: () throws(SystemCallFailure) -> Result
  ) throws(PublishFailure) -> Result {
    do throws(SystemCallFailure) { return try body() } catch { throw .outbox(error) }
  }

  /// Writes the manifest with its generation and gives the folder its name, while no other job of
  /// the id does.
  private mutating func name(
    _ staged: inout StagedFolder, _ manifest: Manifest, _ sources: JobSources
  ) throws(SystemCallFailure) -> PublishOutcome {
    let last = try directory.generationRecord(of: identifier)
    if let last, last.order > order { return .superseded }
    var manifest = manifest
    manifest.generation = try directory.nextGeneration(of: identifier, after: last, order)
    try Self.write(manifest, into: staged.folder)
    guard try mark(staged.publication) else { return .cancelled }
    staged.commit()
    let record = GenerationRecord(generation: manifest.generation, order: order)
    try directory.write(record, of: identifier)
    var sources = sources
    sources.add(payload)
    sources.add(manifest)
    directory.note(sources, of: identifier)
    try directory.giveName(identifier.text, to: staged.name)
    return .published(generation: manifest.generation)
  }

  private static func write(
    _ manifest: Manifest, into folder: borrowing Directory
  ) throws(SystemCallFailure) {
    var manifest = manifest
    let push = PushPayload(manifest).fitted()
    manifest.problems += push.notes
    let bytes = JSONWriter.write(manifest.json, pretty: true)
    let pushFile = try folder.makeFile(PushPayload.fileName, holding: push.bytes)
    let manifestFile = try folder.makeFile(Manifest.fileName, holding: bytes)
    // The first of these commits all three on a journaling file system: the others cost little.
    pushFile.startWriting()
    manifestFile.startWriting()
    try folder.sync()
    try pushFile.sync()
    try manifestFile.sync()
  }

  /// Puts the publication into the job's name; false when the payload was removed.
  private mutating func mark(
    _ publication: ActiveName.Publication
  ) throws(SystemCallFailure) -> Bool {
    var marked = lease.name
    marked.publication = publication
    do throws(SystemCallFailure) {
      try directory.active.rename(
        lease.name.text, to: marked.text, in: directory.active, exclusively: true)
    } catch {
      if error.number == ENOENT { return false }
      throw error
    }
    lease.name = marked
    return true
  }
}
