package import Files
internal import Glibc
internal import Media

/// That a payload in done/ was cancelled: `<name>.reason.json`. It tells which file it is, since a
/// later payload of that name may take the place.
struct CancellationRecord: Sendable {
  let name: String
  let identifier: String
  let inode: UInt64

  var json: JSONValue {
    [
      "name": .string(FileName.shown(name)), "id": .string(identifier),
      "cancelled": .string(Timestamp.now.rfc3339),
      "inode": .string(String(inode)),
    ]
  }

  /// Whether a record is about that file.
  static func isAbout(_ inode: UInt64, _ record: JSONValue) -> Bool {
    record.object?["cancelled"] != nil && record.object?["inode"]?.string == String(inode)
  }
}

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
    let record = CancellationRecord(
      name: entry.payloadName, identifier: identifier.text, inode: inode)
    let recordName = FailureReason.fileName(of: entry.payloadName)
    let temporary = ".\(Token.make())"
    try temporaries.writeFile(
      temporary, JSONWriter.write(record.json, pretty: true), isDurable: true)
    try temporaries.rename(temporary, to: recordName, in: done)
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
