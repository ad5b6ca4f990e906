internal import Files
internal import Glibc
package import Media
internal import Synchronization

/// One fetch of one thing at a time, across all processes that share the cache: `flock` on
/// `locks/<hash>`. Inside a process one task waits for the lock, the others for that task.
package final class SingleFlight: Sendable {
  /// Of the lock files, which the janitor knows by it.
  static let prefix = "flight-"
  static let longestPause = Duration.milliseconds(50)

  let locks: Directory
  private let cache: String
  private let departures = Mutex(Departures())

  init(locks: consuming Directory, cache: String) {
    self.locks = locks
    self.cache = cache
  }

  /// Takes the flight for `key`, or waits until another's has ended. When the holder dies the
  /// kernel frees the lock, and one of those who wait leads within 50 ms. Throws
  /// `deadlineExceeded`, also when the task is cancelled.
  package func board(_ key: String, deadline: Deadline) async throws(CacheFailure) -> Boarding {
    guard let name = Self.name(of: key) else { throw .deadlineExceeded }
    while !departures.withLock({ $0.claim(name) }) {
      departures.withLock { $0.note(name, deadline) }
      switch await waitInProcess(name, deadline) {
      case .ended: return .landed
      case .gone: continue
      case .tooLate: throw .deadlineExceeded
      }
    }
    do {
      return try await waitForLock(name, deadline)
    } catch {
      wakeOthers(name)
      throw error
    }
  }

  /// Whether whoever leads the flight for `key` has begun the work itself.
  package func hasBegun(_ key: String) -> Bool {
    guard let name = Self.name(of: key) else { return false }
    return (try? locks.open(name, flags: 0).read(at: 0, count: 1)) == [1]
  }

  /// By when the first of those who wait for the flight for `key` wants it to have ended; nil while
  /// nobody waits.
  package func earliestWaiter(of key: String) -> Deadline? {
    guard let name = Self.name(of: key) else { return nil }
    let inside = departures.withLock { $0.earliest(name) }
    guard let lock = try? locks.open(name, flags: 0),
      let outside = FlightWaiters.earliest(in: lock)
    else { return inside }
    return inside.map { min($0, outside) } ?? outside
  }

  /// A byte in the lock's file tells it.
  func markBegun(_ name: String) {
    let begun: [UInt8] = [1]
    guard let file = try? locks.open(name, flags: O_WRONLY) else { return }
    _ = unsafe begun.withUnsafeBytes { unsafe pwrite(file.number, $0.baseAddress, 1, 0) }
  }

  private static func name(of key: String) -> String? {
    ContentHash.of(key).map { prefix + $0.hex.prefix(40) }
  }

  /// Ends a flight of this process: the lock's name goes, then those who wait look again.
  func land(_ name: String) {
    // A name that stays costs nothing: its lock is free, and the janitor comes by.
    try? locks.remove(name)
    wakeOthers(name)
  }

  private func wakeOthers(_ name: String) {
    let waiting = departures.withLock { $0.finish(name) }
    for continuation in waiting { continuation.resume(returning: .ended) }
  }

  private func waitForLock(
    _ name: String, _ deadline: Deadline
  ) async throws(CacheFailure) -> Boarding {
    var pause = Duration.milliseconds(1)
    var lock = try openLock(name)
    while true {
      if try inCache({ () throws(SystemCallFailure) in try lock.tryLock() }) {
        if try holdsName(lock, name) {
          // One that was killed may have begun.
          ftruncate(lock.number, 0)
          return .leading(Flight(lock: lock, name: name, control: self))
        }
        if pause > .milliseconds(1) {
          wakeOthers(name)
          return .landed
        }
        lock = try openLock(name)
        continue
      }
      FlightWaiters.note(deadline, in: lock)
      guard !deadline.hasPassed, await Self.sleep(min(pause, deadline.remaining)) else {
        throw .deadlineExceeded
      }
      pause = min(pause * 2, Self.longestPause)
    }
  }

  private func openLock(_ name: String) throws(CacheFailure) -> Descriptor {
    do throws(CacheFailure) {
      return try makeLock(name)
    } catch {
      guard error.isMissingFolder else { throw error }
      // Someone has removed the cache's directories.
      _ = try CacheLayout.open(cache)
      try inCache { () throws(SystemCallFailure) in try locks.reopen() }
      return try makeLock(name)
    }
  }

  private func makeLock(_ name: String) throws(CacheFailure) -> Descriptor {
    try inCache { () throws(SystemCallFailure) in
      let file = try locks.open(
        name, flags: O_RDWR | O_CREAT, mode: CacheLayout.sharedFileMode)
      // Fails for another user's file of the group, which has been opened all the same.
      try? file.setPermissions(CacheLayout.sharedFileMode)
      return file
    }
  }

  /// Whether the locked file still bears the name: its last holder removed it otherwise.
  private func holdsName(
    _ lock: borrowing Descriptor, _ name: String
  ) throws(CacheFailure) -> Bool {
    do throws(SystemCallFailure) {
      return try locks.status(of: name)?.inode == lock.fileStatus().inode
    } catch {
      throw CacheFailure(error)
    }
  }

  /// False when the task was cancelled.
  private static func sleep(_ pause: Duration) async -> Bool {
    do {
      try await Task.sleep(for: pause)
      return true
    } catch {
      return false
    }
  }
}

extension SingleFlight {
  /// Waits for the flight of another task of this process, at most until the deadline.
  private func waitInProcess(_ name: String, _ deadline: Deadline) async -> Departures.End {
    let ticket = departures.withLock { $0.nextTicket() }
    defer { departures.withLock { $0.forget(ticket) } }
    return await withTaskGroup(of: Departures.End?.self) { group in
      group.addTask { await self.end(of: name, ticket) }
      group.addTask {
        _ = await Self.sleep(deadline.remaining)
        self.departures.withLock { $0.giveUp(name, ticket) }?.resume(returning: .tooLate)
        return nil
      }
      var end: Departures.End?
      while let result = await group.next() {
        if let result {
          end = result
          group.cancelAll()
        }
      }
      return end ?? .tooLate
    }
  }

  private func end(of name: String, _ ticket: UInt64) async -> Departures.End {
    await withCheckedContinuation { continuation in
      if let early = departures.withLock({ $0.wait(name, ticket, continuation) }) {
        continuation.resume(returning: early)
      }
    }
  }
}
