internal import Files
internal import Glibc

extension SharedCache {
  /// Brings the cache below its limits: originals before renditions, by recency, nothing younger
  /// than a minute, what outboxes link to last, what is published only for the sake of `minFree`.
  /// One run evicts a few hundred objects at most. Nil when another process is at it.
  package func evict(now: Int64 = WallClock.now()) throws(CacheFailure) -> EvictionReport? {
    guard let election = try elect(waiting: false) else { return nil }
    let report = try Evictor(self, limits, now: now).run()
    _ = consume election
    return report
  }

  /// Makes room for an object that has been entered and has no file yet. Throws `diskFull` when the
  /// file system would keep less than `minFree`.
  func makeRoom(for name: ObjectName, now: Int64) throws(CacheFailure) {
    let size = try indexedBytes()
    let isShort = try freeBytes() < limits.minFree
    guard size > limits.maxBytes || isShort else { return }
    if let election = try elect(waiting: isShort || size > limits.highWater) {
      _ = try Evictor(self, limits, now: now).run()
      _ = consume election
    }
    guard isShort else { return }
    let free = try freeBytes()
    guard free >= limits.minFree else {
      try index.forget(name)
      throw .diskFull("\(free) bytes free, \(limits.minFree) are to stay free")
    }
  }

  func indexedBytes() throws(CacheFailure) -> Int {
    let (objects, originals) = try index.totals()
    return objects.bytes.addingReportingOverflow(originals.bytes).partialValue
  }

  func freeBytes() throws(CacheFailure) -> Int {
    try inCache { () throws(SystemCallFailure) in try root.freeBytes() }
  }

  /// The right to evict, and to enter files that the index does not know; nil while another process
  /// has it; waiting lasts half a second at most.
  func elect(waiting: Bool) throws(CacheFailure) -> Descriptor? {
    do throws(SystemCallFailure) {
      let lock = try root.open(
        "\(CacheLayout.locks)/evictor", flags: O_RDWR | O_CREAT, mode: CacheLayout.sharedFileMode)
      try? lock.setPermissions(CacheLayout.sharedFileMode)
      let isOurs = waiting ? try lock.lock(within: .milliseconds(500)) : try lock.tryLock()
      return isOurs ? consume lock : nil
    } catch {
      throw CacheFailure(error)
    }
  }
}
