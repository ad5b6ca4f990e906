internal import Files
internal import Glibc

extension JobDirectory {
  /// What became of a publication that a worker began and did not end.
  enum Resumption {
    case published, superseded
    /// Another job of the id took the generation: the manifest must be made anew.
    case mustBeDoneAgain
  }

  /// Gives a staged folder its final name, in place of the folder that has it: at one instant.
  func giveName(_ name: String, to staged: String) throws(SystemCallFailure) {
    while true {
      do throws(SystemCallFailure) {
        return try outbox.rename(staged, to: name, in: outbox, exclusively: true)
      } catch {
        if error.number != EEXIST { throw error }
      }
      do throws(SystemCallFailure) {
        return try outbox.exchange(staged, with: name, in: outbox)
      } catch {
        // The consumer took the old folder away this very moment.
        let isStaged = try outbox.status(of: staged) != nil
        if error.number != ENOENT || !isStaged { throw error }
      }
    }
  }

  /// Makes the names given so far durable, together with all who ask for it meanwhile.
  func syncOutbox() throws(SystemCallFailure) {
    try outboxSync.run { () throws(SystemCallFailure) in try outbox.sync() }
  }

  /// Removes the folder that a new one has replaced, and which now has the staged name.
  func removeReplaced(_ staged: String) throws(SystemCallFailure) {
    try outbox.removeFolder(staged)
  }

  /// One more than the last; the same for a job that had been recorded already, so that a repeat
  /// can be told from an update.
  func nextGeneration(
    of identifier: JobIdentifier, after last: GenerationRecord?, _ order: DeliveryOrder
  ) throws(SystemCallFailure) -> Int {
    if let last, last.order == order { return last.generation }
    let published = try manifestGeneration(in: identifier.text) ?? 0
    return max(last?.generation ?? 0, published) + 1
  }

  /// Ends the publication that a job's name is marked with, or finds that it had ended: then the
  /// staged name is gone, or is that of the folder which was replaced.
  func resumePublication(
    _ lease: inout Lease, of identifier: JobIdentifier
  ) throws(SystemCallFailure) -> Resumption {
    guard let publication = lease.name.publication else { return .mustBeDoneAgain }
    let staged = StagedFolder.name(of: identifier, token: publication.token)
    let order = lease.order
    let resumption = try whileLocked(identifier) { () throws(SystemCallFailure) -> Resumption in
      guard try outbox.status(of: staged)?.inode == publication.inode else { return .published }
      let last = try generationRecord(of: identifier)
      if let last, last.order > order { return .superseded }
      guard let generation = try manifestGeneration(in: staged),
        last.map({ $0.order == order || $0.generation < generation }) ?? true
      else { return .mustBeDoneAgain }
      try write(GenerationRecord(generation: generation, order: order), of: identifier)
      try giveName(identifier.text, to: staged)
      return .published
    }
    try syncOutbox()
    try removeReplaced(staged)
    if resumption == .mustBeDoneAgain { try unmark(&lease) }
    return resumption
  }

  /// Makes the job one like any other again; the attempt counts.
  private func unmark(_ lease: inout Lease) throws(SystemCallFailure) {
    var name = lease.name
    name.publication = nil
    name.attempt += 1
    try active.rename(lease.name.text, to: name.text, in: active, exclusively: true)
    lease.name = name
  }

  /// The generation that a folder's manifest states; nil where there is none to be read.
  private func manifestGeneration(in folder: String) throws(SystemCallFailure) -> Int? {
    do throws(SystemCallFailure) {
      return try PublishedManifest.read(folder, in: outbox)?.generation
    } catch {
      if error.number == ENOENT || error.number == ENOTDIR { return nil }
      throw error
    }
  }
}
