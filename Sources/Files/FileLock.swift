internal import Glibc

extension Descriptor {
  /// Takes an advisory lock on the open file without waiting; false when another holds one that
  /// excludes it. The kernel frees it with the last duplicate of the descriptor. The corresponding
  /// C function is `flock` with `LOCK_NB`.
  package borrowing func tryLock(shared: Bool = false) throws(SystemCallFailure) -> Bool {
    let number = number
    do {
      _ = try retryingOnInterrupt("flock") {
        flock(number, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB)
      }
    } catch  where error.number == EWOULDBLOCK {
      return false
    }
    return true
  }

  /// Waits for the lock, on a thread that may block; false when it could not be had in time, as
  /// when its holder has been stopped.
  package borrowing func lock(
    within limit: Duration, shared: Bool = false
  ) throws(SystemCallFailure) -> Bool {
    let end = ContinuousClock.now.advanced(by: limit)
    while true {
      if try tryLock(shared: shared) { return true }
      guard ContinuousClock.now < end else { return false }
      usleep(2000)
    }
  }

  /// Waits for the lock as long as it takes: where its holders are never long. The corresponding C
  /// function is `flock`.
  package borrowing func lock(shared: Bool = false) throws(SystemCallFailure) {
    let number = number
    _ = try retryingOnInterrupt("flock") { flock(number, shared ? LOCK_SH : LOCK_EX) }
  }
}
