internal import Files

extension SharedCache {
  /// Notices that the directory was moved, replaced or removed since it was opened, and goes on with
  /// the one that has its path now, made where missing: what was moved away is someone else's.
  func settle() throws(CacheFailure) {
    if root.isInPlace { return }
    try restore()
  }

  /// The same for those whom a failure only costs a miss.
  func settleIfPossible() {
    try? settle()
  }

  /// Has all of the cache stand on the directory that has its path, made with its folders where they
  /// are missing.
  func restore() throws(CacheFailure) {
    _ = try CacheLayout.open(directory)
    do throws(SystemCallFailure) {
      // Last the one by which the others are known to be in place.
      try objects.root.reopen()
      try index.reopen()
      try flights.locks.reopen()
      try root.reopen()
    } catch {
      throw CacheFailure(error)
    }
  }
}
