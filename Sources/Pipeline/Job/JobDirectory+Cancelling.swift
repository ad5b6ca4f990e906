package import Files
internal import Glibc
internal import Media

extension JobDirectory {
  /// How often a payload that moved on while it was looked at is looked for again.
  private static let mostRounds = 5

  /// Moves an id's waiting payloads to done/, marked as cancelled, and those that are worked on or
  /// wait for another try: their worker sees it and publishes nothing. Answers how many there were.
  package func cancel(_ identifier: JobIdentifier) throws(SystemCallFailure) -> Int {
    var count = 0
    for _ in 0..<Self.mostRounds {
      var hasMoved = false
      for entry in try jobs(of: identifier) {
        let isCancelled: Bool
        switch entry.state {
        case .incoming: isCancelled = try setAside(entry, of: identifier, in: incoming)
        case .active: isCancelled = try setAside(entry, of: identifier, in: active)
        case .done, .failed: continue
        }
        if isCancelled { count += 1 } else { hasMoved = true }
      }
      if !hasMoved { break }
    }
    return count
  }

  /// The record comes first, so that no cancelled payload lies there as a finished one. False when a
  /// worker was faster.
  private func setAside(
    _ entry: JobEntry, of identifier: JobIdentifier, in folder: borrowing Directory
  ) throws(SystemCallFailure) -> Bool {
    guard let inode = try folder.status(of: entry.name)?.inode else { return false }
    let recordName = try write(
      WithdrawalRecord(
        name: entry.payloadName, identifier: identifier.text, inode: inode, reason: .cancelled))
    do throws(SystemCallFailure) {
      try folder.rename(entry.name, to: entry.payloadName, in: done)
    } catch {
      if error.number != ENOENT { throw error }
      try done.remove(recordName)
      return false
    }
    // Renaming a name over another of the same file does nothing.
    if try folder.status(of: entry.name)?.inode == inode { try folder.remove(entry.name) }
    try done.sync()
    return true
  }
}
