package import Files
internal import Glibc
package import Media

// What `jobs retry` and `jobs stats` do.

extension JobDirectory {
  /// Puts failed jobs of an id back into incoming/ under their old names, with all attempts before
  /// them. Answers the names; one whose name is taken in incoming/ stays where it is.
  package func retry(_ identifier: JobIdentifier) throws(SystemCallFailure) -> [String] {
    var entries: [JobEntry] = []
    try forEachJob(.failed) { entry in
      if entry.identifier == identifier { entries.append(entry) }
      return true
    }
    var names: [String] = []
    for entry in entries {
      do throws(SystemCallFailure) {
        try failed.rename(entry.name, to: entry.payloadName, in: incoming, exclusively: true)
      } catch {
        if error.number == EEXIST || error.number == ENOENT { continue }
        throw error
      }
      try failed.remove(FailureReason.fileName(of: entry.name))
      names.append(entry.payloadName)
    }
    return names
  }

  /// How many payloads and results there are.
  package func stats() throws(SystemCallFailure) -> JobStats {
    var stats = JobStats()
    var cursor = try DirectoryCursor.start(in: incoming)
    while let name = try cursor.next() {
      if PayloadFileName.isForeign(name) { stats.foreign += 1 }
      guard PayloadFileName(name) != nil, let status = try incoming.status(of: name) else {
        continue
      }
      stats.incoming += 1
      let time = Timestamp(nanoseconds: status.changed)
      stats.oldestIncoming = min(stats.oldestIncoming ?? time, time)
    }
    try active.forEachName { name in
      if ActiveName(name) != nil { stats.active += 1 }
      return true
    }
    stats.done = try Self.count(in: done)
    stats.failed = try Self.count(in: failed)
    try outbox.forEachName { name in
      if !name.hasPrefix(".") { stats.outbox += 1 }
      return true
    }
    return stats
  }

  private static func count(
    in folder: borrowing Directory
  ) throws(SystemCallFailure) -> Int {
    var count = 0
    try folder.forEachName { name in
      if PayloadFileName(name) != nil, !name.hasSuffix(FailureReason.suffix) { count += 1 }
      return true
    }
    return count
  }
}

/// What `jobs stats` tells.
package struct JobStats: Sendable, Hashable {
  package var incoming = 0
  /// Names in incoming/ with an extension that is not read.
  package var foreign = 0
  package var active = 0
  package var done = 0
  package var failed = 0
  /// Published folders that no consumer has taken away.
  package var outbox = 0
  /// When the payload that has waited longest was delivered.
  package var oldestIncoming: Timestamp?

  package init() {}

  package var json: JSONValue {
    [
      "incoming": JSONValue(incoming), "foreign": JSONValue(foreign), "active": JSONValue(active),
      "done": JSONValue(done),
      "failed": JSONValue(failed), "outbox": JSONValue(outbox),
      "oldestIncoming": JSONValue(oldestIncoming?.rfc3339),
    ]
  }
}

extension JobEntry {
  package var json: JSONValue {
    [
      "id": JSONValue(identifier?.text), "state": .string(shownState),
      "name": .string(FileName.shown(payloadName)), "since": .string(since.rfc3339),
      "bytes": JSONValue(bytes),
      "attempt": JSONValue(attempt), "leased": isLeased.map { .bool($0) } ?? .null,
      "reason": reason ?? .null,
    ]
  }
}
