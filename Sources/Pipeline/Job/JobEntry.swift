package import Files
internal import Glibc
package import Media

/// The folder that a payload lies in.
package enum JobState: String, Sendable, Hashable, CaseIterable {
  case incoming, active, done, failed
}

/// A payload in a job directory, as `jobs list` shows it.
package struct JobEntry: Sendable, Hashable {
  package let state: JobState
  /// The name in its folder.
  package let name: String
  /// The name it had in incoming/.
  package let payloadName: String
  package let identifier: JobIdentifier?
  /// When it came into its folder; of an active job, what its deadline counts from.
  package let since: Timestamp
  package let bytes: Int
  /// Of an active job.
  package let attempt: Int?
  /// Of an active job: whether a worker holds it at this moment.
  package let isLeased: Bool?
  /// Of a failed, cancelled or superseded job: why (`<name>.reason.json`); of a name in incoming/
  /// that no job can be made of, too; nil where nothing is known.
  package let reason: JSONValue?

  /// The state's name, or `cancelled` or `superseded`, whose payloads lie in done/.
  package var shownState: String {
    guard state == .done, let reason = reason?.object else { return state.rawValue }
    return reason["superseded"] == nil ? "cancelled" : "superseded"
  }

  /// When the payload was delivered that was published in this one's place.
  package var supersededBy: String? {
    state == .done ? reason?.object?["by"]?.string : nil
  }
}

extension JobDirectory {
  /// Calls `body` with each payload of a state, in no order, until it answers false. Payloads are
  /// read for their ids; memory does not grow with their number.
  package func forEachJob(
    _ state: JobState, _ body: (JobEntry) -> Bool
  ) throws(SystemCallFailure) {
    switch state {
    case .incoming: try forEachJob(state, in: incoming, body)
    case .active: try forEachJob(state, in: active, body)
    case .done: try forEachJob(state, in: done, body)
    case .failed: try forEachJob(state, in: failed, body)
    }
  }

  /// The payloads of an id in all states, in each the oldest first.
  package func jobs(of identifier: JobIdentifier) throws(SystemCallFailure) -> [JobEntry] {
    var found: [JobEntry] = []
    for state in JobState.allCases {
      var ofState: [JobEntry] = []
      try forEachJob(state) { entry in
        if entry.identifier == identifier { ofState.append(entry) }
        return true
      }
      found += ofState.sorted { ($0.since, $0.name) < ($1.since, $1.name) }
    }
    return found
  }

  private func forEachJob(
    _ state: JobState, in folder: borrowing Directory, _ body: (JobEntry) -> Bool
  ) throws(SystemCallFailure) {
    var cursor = try DirectoryCursor.start(in: folder)
    while let name = try cursor.next() {
      let active = state == .active ? ActiveName(name) : nil
      let isForeign = state == .incoming && PayloadFileName.isForeign(name)
      let payloadName =
        state == .active
        ? active?.payloadName : isForeign ? name : PayloadFileName(name)?.text
      guard let payloadName, !name.hasSuffix(FailureReason.suffix),
        let status = try folder.status(of: name)
      else { continue }
      let reason =
        isForeign ? Self.foreignReason : try reason(of: name, inode: status.inode, state)
      let fallback = active?.fallbackIdentifier ?? Self.identifier(of: payloadName, reason)
      let entry = JobEntry(
        state: state, name: name, payloadName: reason?.object?["name"]?.string ?? payloadName,
        identifier: isForeign ? nil : payloadIdentifier(of: name, in: folder) ?? fallback,
        since: active?.arrival ?? Timestamp(nanoseconds: status.changed), bytes: status.size,
        attempt: active?.attempt, isLeased: active == nil ? nil : (try? isOrphan(name)).map { !$0 },
        reason: reason)
      if !body(entry) { return }
    }
  }

  private static var foreignReason: JSONValue {
    ["problem": Payload.unreadable(PayloadFileName.refusalOfExtension).json]
  }

  private static func identifier(of payloadName: String, _ reason: JSONValue?) -> JobIdentifier? {
    reason?.object?["id"]?.string.flatMap { JobIdentifier(encoded: $0) }
      ?? PayloadFileName(payloadName).flatMap { JobIdentifier(stem: $0.stem) }
  }

  /// The id that a payload has of its own; nil also where it cannot be read.
  private func payloadIdentifier(
    of name: String, in folder: borrowing Directory
  ) -> JobIdentifier? {
    let fileExtension = name.split(separator: ".").last.map(String.init)
    guard let file = try? folder.open(name, flags: O_RDONLY | O_NONBLOCK),
      let size = try? file.size(), size <= Payload.mostBytes,
      let bytes = try? file.read(at: 0, count: size),
      let payload = try? Payload.read(bytes, fileExtension: fileExtension)
    else { return nil }
    return payload.id.flatMap { JobIdentifier($0) }
  }

  private func reason(
    of name: String, inode: UInt64, _ state: JobState
  ) throws(SystemCallFailure) -> JSONValue? {
    switch state {
    case .incoming, .active: return nil
    case .failed: return try Self.reason(of: name, in: failed)
    case .done:
      guard let record = try Self.reason(of: name, in: done),
        WithdrawalRecord.isAbout(inode, record)
      else { return nil }
      return record
    }
  }

  private static func reason(
    of name: String, in folder: borrowing Directory
  ) throws(SystemCallFailure) -> JSONValue? {
    let reasonName = FailureReason.fileName(of: name)
    guard let size = try folder.status(of: reasonName)?.size, size <= 65_536 else { return nil }
    let bytes = try folder.open(reasonName, flags: O_RDONLY).read(at: 0, count: size)
    return try? JSONReader.read(bytes)
  }
}
