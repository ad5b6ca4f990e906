package import Files
internal import Glibc

/// Takes away what nobody needs any more: old results and payloads, and what dead processes left.
package struct Janitor: Sendable {
  package struct Settings: Sendable {
    /// Finished payloads.
    package var keepDone = Duration.seconds(7 * 86_400)
    /// Results.
    package var keepOutbox = Duration.seconds(86_400)
    /// Files in tmp/, which producers may be writing, and folders in the making.
    package var keepTemporaries = Duration.seconds(3600)

    package init() {}
  }

  /// How much was removed.
  package struct Sweep: Sendable, Hashable {
    package var payloads = 0
    package var results = 0
    package var temporaries = 0
    package var records = 0

    package init() {}
  }

  private let directory: JobDirectory
  private let settings: Settings

  package init(_ directory: JobDirectory, settings: Settings = Settings()) {
    self.directory = directory
    self.settings = settings
  }

  /// One pass over every folder. Names that vanish meanwhile are no failure.
  package func sweep(now: Timestamp = .now) throws(SystemCallFailure) -> Sweep {
    var sweep = Sweep()
    sweep.temporaries += try removeFiles(
      in: directory.temporaries, olderThan: settings.keepTemporaries, now)
    sweep.payloads = try removeFiles(in: directory.done, olderThan: settings.keepDone, now)
    try sweepOutbox(into: &sweep, now)
    let longest = max(settings.keepDone, settings.keepOutbox)
    sweep.records = try removeRecords(in: directory.generations, olderThan: longest, now)
    sweep.records += try removeRecords(in: directory.handedBack, olderThan: longest, now)
    return sweep
  }

  private func removeFiles(
    in folder: borrowing Directory, olderThan age: Duration, _ now: Timestamp
  ) throws(SystemCallFailure) -> Int {
    var count = 0
    var cursor = try DirectoryCursor.start(in: folder)
    while let name = try cursor.next() {
      guard let status = try folder.status(of: name), status.isRegularFile,
        Self.isOld(status, age, now)
      else { continue }
      try folder.remove(name)
      count += 1
    }
    return count
  }

  /// Records of ids that were not used for so long; a temporary name here is as old as its maker.
  private func removeRecords(
    in folder: borrowing Directory, olderThan age: Duration, _ now: Timestamp
  ) throws(SystemCallFailure) -> Int {
    var count = 0
    var cursor = try DirectoryCursor.start(in: folder)
    while let name = try cursor.next() {
      let age = name.hasPrefix(".") ? settings.keepTemporaries : age
      guard let status = try folder.status(of: name), Self.isOld(status, age, now) else { continue }
      try folder.remove(name)
      count += 1
    }
    return count
  }

  private func sweepOutbox(into sweep: inout Sweep, _ now: Timestamp) throws(SystemCallFailure) {
    let tokens = try publishedTokens()
    var cursor = try DirectoryCursor.start(in: directory.outbox)
    while let name = try cursor.next() {
      guard let status = try directory.outbox.status(of: name), status.isDirectory else { continue }
      if name.hasPrefix(".") {
        guard Self.isOld(status, settings.keepTemporaries, now), try isAbandoned(name, tokens)
        else {
          continue
        }
        try directory.outbox.removeFolder(name)
        sweep.temporaries += 1
      } else if Self.isOld(status, settings.keepOutbox, now),
        let identifier = JobIdentifier(encoded: name), try directory.acknowledge(identifier)
      {
        sweep.results += 1
      }
    }
  }

  /// Whether a folder in the making has neither a living publisher, who would hold its lock, nor a
  /// job that recovery will end with it.
  private func isAbandoned(
    _ name: String, _ tokens: Set<Substring>
  ) throws(SystemCallFailure) -> Bool {
    guard !tokens.contains(name.suffix(Token.length)) else { return false }
    do throws(SystemCallFailure) {
      return try directory.outbox.subdirectory(name).descriptor.tryLock()
    } catch {
      if error.number == ENOENT { return false }
      throw error
    }
  }

  private func publishedTokens() throws(SystemCallFailure) -> Set<Substring> {
    var tokens: Set<Substring> = []
    try directory.active.forEachName { name in
      if let publication = ActiveName(name)?.publication { tokens.insert(publication.token[...]) }
      return true
    }
    return tokens
  }

  private static func isOld(_ status: FileStatus, _ age: Duration, _ now: Timestamp) -> Bool {
    Timestamp(nanoseconds: status.changed).duration(to: now) >= age
  }
}
