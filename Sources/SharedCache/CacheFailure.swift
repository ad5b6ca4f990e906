package import Files

/// Why the cache could not do what was asked.
package enum CacheFailure: Error, Sendable, Hashable {
  /// The directory belongs to another user: exit 3.
  case notOwner(directory: String, owner: UInt32)
  /// The directory is missing, no directory, or not writable: exit 3.
  case unusableDirectory(String)
  /// The disk or the quota is full (ENOSPC, EDQUOT, SQLITE_FULL): nothing was published.
  case diskFull(String)
  /// The object is not in the cache.
  case missing(ObjectName)
  /// The object was torn, truncated or flipped; it has been set aside.
  case damaged(ObjectName)
  /// What was to be published is not as long as its sender said, both in bytes.
  case wrongSize(expected: Int, actual: Int)
  /// `--cache-size` would be passed, and nothing may be evicted in time: nothing was published.
  case noRoom(String)
  /// The file system would keep less than `--min-free`: nothing was published.
  case reserveReached(String)
  /// The lock could not be had before the deadline.
  case deadlineExceeded
  /// The index could not be written for now; costs a miss.
  case indexUnavailable(String)
  case systemCall(SystemCallFailure)

  /// The same failure of a system call, a full disk told apart.
  package init(_ failure: SystemCallFailure) {
    self = failure.isDiskFull ? .diskFull(failure.description) : .systemCall(failure)
  }

  /// Whether a directory of the cache is not there any more.
  var isMissingFolder: Bool {
    if case .systemCall(let failure) = self { failure.isMissing } else { false }
  }

  /// Whether descriptors or memory ran short: it says nothing of the cache.
  package var isShortage: Bool {
    if case .systemCall(let failure) = self { failure.isPassing } else { false }
  }

  /// Whether something may not be kept, though nothing is wrong with it or with the disk: the job
  /// goes on with the bytes it has.
  package var leavesUnkept: Bool {
    switch self {
    case .noRoom, .reserveReached, .diskFull, .indexUnavailable: true
    case .systemCall(let failure): failure.isOfPlace
    default: false
    }
  }

  /// Whether nothing of this cache can be used: exit code 3.
  package var isEnvironmental: Bool {
    switch self {
    case .notOwner, .unusableDirectory: true
    default: false
    }
  }
}

extension CacheFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notOwner(let directory, let owner):
      "cache \(directory) belongs to user \(owner): run as that user, or join its group"
        + " and make it mode 2770"
    case .unusableDirectory(let reason): "cache directory cannot be used: \(reason)"
    case .diskFull(let reason): "disk full: \(reason)"
    case .missing(let name): "object \(name.fileName) is not in the cache"
    case .damaged(let name): "object \(name.fileName) was damaged and has been set aside"
    case .wrongSize(let expected, let actual): "expected \(expected) bytes, got \(actual)"
    case .noRoom(let reason): "no room: \(reason)"
    case .reserveReached(let reason): "not kept: \(reason)"
    case .deadlineExceeded: "the lock could not be had in time"
    case .indexUnavailable(let reason): "index unavailable: \(reason)"
    case .systemCall(let failure): failure.description
    }
  }
}

/// Runs calls of the system, their failures turned into the cache's.
func inCache<Result: ~Copyable>(
  _ body: () throws(SystemCallFailure) -> Result
) throws(CacheFailure) -> Result {
  do {
    return try body()
  } catch {
    throw CacheFailure(error)
  }
}
