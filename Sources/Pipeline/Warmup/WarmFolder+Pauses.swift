internal import Files
internal import Media
internal import SharedCache

extension WarmFolder {
  private static let pausesName = "hosts"
  private static let mostBytes = 4 << 20
  private static let journalPrefix = "journal-"

  /// Hosts that asked an earlier run to wait, and until when.
  borrowing func savedPauses() -> [String: Int64] {
    guard let bytes = folder.contents(of: Self.pausesName, limit: Self.mostBytes),
      let object = (try? JSONReader.read(bytes))?.object
    else { return [:] }
    var pauses: [String: Int64] = [:]
    for member in object.members { pauses[member.name] = member.value.int.map(Int64.init) }
    return pauses
  }

  /// Where they cannot be kept, the next run asks once too often.
  borrowing func savePauses(_ pauses: [String: Int64]) {
    var object: JSONObject = [:]
    for (host, until) in pauses.sorted(by: { $0.key < $1.key }) {
      object.members.append(.init(name: host, value: JSONValue(Int(until))))
    }
    try? folder.replace(Self.pausesName, with: JSONWriter.write(.object(object)))
  }

  /// Removes journals that nobody will go on with.
  borrowing func pruneJournals(now: Int64 = WallClock.now()) {
    var names: [String] = []
    try? folder.forEachName { name in
      if name.hasPrefix(Self.journalPrefix) { names.append(name) }
      return true
    }
    for name in names {
      guard let status = try? folder.status(of: name),
        now - status.modified / 1_000_000 > WarmJournal.longestAge
      else { continue }
      try? folder.remove(name)
    }
  }
}
