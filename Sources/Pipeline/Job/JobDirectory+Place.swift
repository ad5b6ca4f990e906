package import Files
internal import Synchronization

/// What has become of a job directory since it was opened.
package enum JobPlace: Sendable {
  case same
  /// Folders, or all of it, were removed or replaced; those that have the names now, made where they
  /// were missing.
  case changed(JobDirectory, folders: [String])
  /// There is no directory, or none that can be used.
  case missing(SystemCallFailure)
}

extension JobDirectory {
  /// Whether a directory is one of jobs as far as can be told: it has incoming/, or nothing but what
  /// such a one has, like one that no worker has used yet.
  package static func isLikely(_ path: String) -> Bool {
    var isLikely = true
    do throws(SystemCallFailure) {
      let root = try Directory(opening: path)
      if try root.status(of: "incoming")?.isDirectory == true { return true }
      try root.forEachName { name in
        isLikely = name.hasPrefix(".") || name == "lost+found" || folders.contains(name)
        return isLikely
      }
      return isLikely
    } catch {
      // What keeps it from being read is told when it is opened.
      return true
    }
  }

  /// The folders that have lost their names; the first is empty where the directory itself has.
  package var displaced: [String] {
    var names: [String] = []
    if !root.isInPlace { names.append("") }
    if !temporaries.isInPlace { names.append("tmp") }
    if !incoming.isInPlace { names.append("incoming") }
    if !active.isInPlace { names.append("active") }
    if !done.isInPlace { names.append("done") }
    if !failed.isInPlace { names.append("failed") }
    if !outbox.isInPlace { names.append("outbox") }
    if !generations.isInPlace { names.append(".generations") }
    if !handedBack.isInPlace { names.append(".handed-back") }
    if !sources.isInPlace { names.append(".sources") }
    if !locks.isInPlace { names.append(".locks") }
    return names
  }

  /// Looks whether everything is in its place, and opens what has the names now where it is not.
  package func place() -> JobPlace {
    let displaced = displaced
    if displaced.isEmpty { return .same }
    do throws(SystemCallFailure) {
      return .changed(try JobDirectory.open(path), folders: displaced)
    } catch {
      return .missing(error)
    }
  }

  /// The directory as it is now, for who only waits for results: where another outbox has the name.
  /// One that is missing is for a worker to make.
  func withReplacedOutbox() -> JobDirectory? {
    guard !outbox.isInPlace, (try? outbox.namesake()) != nil else { return nil }
    return try? JobDirectory.open(path)
  }

  /// The directory as it is now, for a job that was claimed in this one: with the folder that its
  /// payload lies in, wherever that is by now. Where there is none, the job stays in this one.
  func follow() -> JobDirectory {
    if displaced.isEmpty { return self }
    let now = try? JobDirectory.open(path) { _ throws(SystemCallFailure) in
      try active.duplicate()
    }
    return now ?? self
  }
}

/// The job directory that a worker goes by; another one once that has taken its place.
package final class CurrentJobDirectory: Sendable {
  private let current: Mutex<JobDirectory>

  package init(_ directory: JobDirectory) {
    current = Mutex(directory)
  }

  package var value: JobDirectory {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }
}
