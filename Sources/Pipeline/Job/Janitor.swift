package import Files
internal import Glibc

/// Takes away what nobody needs any more: old results and payloads, and what dead processes left.
package struct Janitor: Sendable {
  package struct Settings: Sendable {
    /// Finished payloads.
    package var keepDone = Duration.seconds(7 * 86_400)
    /// Results.
    package var keepOutbox = Duration.seconds(86_400)
    /// What results came from, where that is longer than payloads and results are kept.
    package var keepSources = Duration.zero
    /// Files in tmp/, which producers may be writing.
    package var keepTemporaries = Duration.seconds(3600)
    /// Folders in the making, whose lock tells that their maker is gone.
    package var keepStaged = Duration.seconds(10)

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
    sweep.records += try removeRecords(
      in: directory.sources, olderThan: max(longest, settings.keepSources), now)
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
    var cursor = try DirectoryCursor.start(in: directory.outbox)
    while let name = try cursor.next() {
      guard let status = try directory.outbox.status(of: name), status.isDirectory else { continue }
      if name.hasPrefix(".") {
        guard Self.isOld(status, settings.keepStaged, now) else { continue }
        if try removeAbandoned(name) { sweep.temporaries += 1 }
      } else if Self.isOld(status, settings.keepOutbox, now),
        let identifier = JobIdentifier(encoded: name), try directory.acknowledge(identifier)
      {
        sweep.results += 1
      }
    }
  }

  /// Removes a folder in the making that has neither a living publisher, who would hold its lock,
  /// nor a job that recovery will end with it. The jobs are looked at under the lock: a publisher
  /// that is gone marks none any more.
  private func removeAbandoned(_ name: String) throws(SystemCallFailure) -> Bool {
    do throws(SystemCallFailure) {
      let folder = try directory.outbox.subdirectory(name)
      guard try folder.descriptor.tryLock(), try !isMarked(name.suffix(Token.length)) else {
        return false
      }
      try directory.outbox.removeFolder(name)
      return true
    } catch {
      if error.number == ENOENT { return false }
      throw error
    }
  }

  private func isMarked(_ token: Substring) throws(SystemCallFailure) -> Bool {
    var isMarked = false
    try directory.active.forEachName { name in
      isMarked = (ActiveName(name)?.publication?.token).map { $0[...] == token } ?? false
      return !isMarked
    }
    return isMarked
  }

  private static func isOld(_ status: FileStatus, _ age: Duration, _ now: Timestamp) -> Bool {
    Timestamp(nanoseconds: status.changed).duration(to: now) >= age
  }
}
