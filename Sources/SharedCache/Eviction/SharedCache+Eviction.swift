internal import Files
internal import Glibc

extension SharedCache {
  /// Spent in one go on files that a new index does not know.
  private static let stockTime = Duration.seconds(5)

  /// Brings the cache below its limits, once a new index knows its files: originals before
  /// renditions, by recency, nothing younger than a minute, what outboxes link to last, what is
  /// published only for the sake of `minFree`. One run evicts a few hundred objects at most. Nil
  /// when another process is at it.
  package func evict(now: Int64 = WallClock.now()) throws(CacheFailure) -> EvictionReport? {
    try settle()
    guard let election = try elect() else { return nil }
    try takeStock(until: .now.advanced(by: Self.stockTime))
    let report = try Evictor(self, limits, now: now).run()
    _ = consume election
    return report
  }

  /// How many files this process could not keep for want of room, since this was last asked.
  package func takeRefused() -> Int { room.takeRefused() }

  func indexedBytes() throws(CacheFailure) -> Int {
    let (objects, originals) = try index.totals()
    return objects.bytes.addingReportingOverflow(originals.bytes).partialValue
  }

  func freeBytes() throws(CacheFailure) -> Int {
    try inCache { () throws(SystemCallFailure) in try root.freeBytes() }
  }

  /// The right to evict, and to enter files that the index does not know; nil while another process
  /// has it, after waiting for it.
  func elect(within limit: Duration = .zero) throws(CacheFailure) -> Descriptor? {
    do throws(SystemCallFailure) {
      let lock = try root.open(
        "\(CacheLayout.locks)/evictor", flags: O_RDWR | O_CREAT, mode: CacheLayout.sharedFileMode)
      try? lock.setPermissions(CacheLayout.sharedFileMode)
      return try lock.lock(within: limit) ? consume lock : nil
    } catch {
      throw CacheFailure(error)
    }
  }
}
