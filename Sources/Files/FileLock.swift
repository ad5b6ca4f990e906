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

  /// Waits for the lock: for short critical sections on a thread that may block. The corresponding
  /// C function is `flock`.
  package borrowing func lock(shared: Bool = false) throws(SystemCallFailure) {
    let number = number
    _ = try retryingOnInterrupt("flock") { flock(number, shared ? LOCK_SH : LOCK_EX) }
  }
}
