package import Files
internal import Glibc
package import Media

/// A job that this process works on, until it is finished, failed or handed back. One that is just
/// dropped is taken up again as if its worker had died.
package struct ClaimedJob: ~Copyable, Sendable {
  /// What is to be done with it.
  package enum Task: Sendable, Hashable {
    case work
    /// It took its workers down as often as allowed: publish a text manifest with `workerCrashed`,
    /// then `fail`.
    case reportCrashes(attempts: Int)
  }

  package let identifier: JobIdentifier
  package let payload: Payload
  package let timing: JobTiming
  package let task: Task
  /// From 1.
  package let attempt: Int
  var directory: JobDirectory
  var lease: Lease

  /// When it was delivered: a later job of the same id supersedes this one.
  package var order: DeliveryOrder { lease.order }

  /// Whether somebody removed the payload (`jobs cancel`, `jobs erase`).
  package borrowing func isCancelled() throws(SystemCallFailure) -> Bool {
    try directory.active.status(of: lease.name.text)?.inode != lease.inode
  }

  /// The payload's bytes, as they came.
  package borrowing func payloadBytes() throws(SystemCallFailure) -> [UInt8] {
    try lease.file.read(at: 0, count: min(try lease.file.size(), Payload.mostBytes))
  }

  /// Moves the payload to done/, or removes it. To be called when the outbox is durable.
  package consuming func finish(keepingPayload: Bool) throws(SystemCallFailure) {
    try directory.follow().finish(lease, keepingPayload: keepingPayload)
  }

  /// The same for a job of which nothing was published, since a later one of its id goes before: the
  /// one that is named, else the one that was published last.
  package consuming func finishSuperseded(
    by later: DeliveryOrder? = nil, keepingPayload: Bool
  ) throws(SystemCallFailure) {
    try directory.follow().finishSuperseded(
      lease, of: identifier, by: later, keepingPayload: keepingPayload)
  }

  /// Moves the payload to failed/, with the reason beside it.
  package consuming func fail(_ problem: Problem) throws(SystemCallFailure) {
    try directory.follow().bury(lease, identifier: identifier, problem: problem)
  }

  /// Gives the job to whoever claims next; the attempt does not count.
  package consuming func handBack() throws(SystemCallFailure) {
    try directory.follow().handBack(lease)
  }
}

extension JobDirectory {
  func finish(_ lease: borrowing Lease, keepingPayload: Bool) throws(SystemCallFailure) {
    guard keepingPayload else { return try active.remove(lease.name.text) }
    do throws(SystemCallFailure) {
      try active.rename(lease.name.text, to: lease.name.payloadName, in: done)
      // Renaming a name over another of the same file does nothing.
      if try lease.file.fileStatus().links > 1 { try active.remove(lease.name.text) }
    } catch {
      // Cancelled meanwhile.
      if error.number != ENOENT { throw error }
    }
  }

  func finishSuperseded(
    _ lease: borrowing Lease, of identifier: JobIdentifier, by later: DeliveryOrder? = nil,
    keepingPayload: Bool
  ) throws(SystemCallFailure) {
    if keepingPayload {
      let last = try generationRecord(of: identifier)?.order
      let later = later ?? last
      try write(
        WithdrawalRecord(
          name: lease.name.payloadName, identifier: identifier.text, inode: lease.inode,
          reason: .superseded(by: later.map { Timestamp(nanoseconds: $0.nanoseconds) })))
    }
    try finish(lease, keepingPayload: keepingPayload)
  }

  /// Back to incoming/ under its old name. Where that is taken or was too long, where incoming/
  /// itself is gone, and where earlier attempts must not be forgotten, it stays in active/ with one
  /// attempt less, and unlocked: the next look at active/ finds it.
  func handBack(_ lease: borrowing Lease) throws(SystemCallFailure) {
    let text = lease.name.text
    do throws(SystemCallFailure) {
      if let name = lease.name.originalName, lease.name.attempt == 1, incoming.isInPlace {
        try active.rename(text, to: name.text, in: incoming, exclusively: true)
        return try rememberDelivery(of: lease)
      }
    } catch {
      if error.number == ENOENT { return }
      if error.number != EEXIST { throw error }
    }
    var name = lease.name
    name.attempt -= 1
    do throws(SystemCallFailure) {
      try active.rename(text, to: name.text, in: active, exclusively: true)
    } catch {
      if error.number != ENOENT { throw error }
    }
  }
}
