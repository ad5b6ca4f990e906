extension SharedCache {
  /// How long one publication waits for room in all.
  private static let patience = Duration.milliseconds(500)
  /// What it spends at least on counting what a new index does not know.
  private static let leastStockTime = Duration.milliseconds(100)

  /// Counts an object before it has its name, so that however many publish at once, the sum of
  /// their files stays within the limits. Evicts where there is no room, or waits for who does.
  ///
  /// Throws `noRoom` where nothing may be evicted in time, `reserveReached` where the file system
  /// would keep less than `minFree`, `indexUnavailable` where it cannot be counted.
  func reserve(
    _ object: StoredObject, _ rule: RoomRule, now: Int64
  ) throws(CacheFailure) {
    try keepReserve(now: now)
    guard rule == .withinLimits else { return enterAboveSize(object, now: now) }
    guard object.bytes <= limits.maxBytes else {
      throw .noRoom("\(object.bytes) bytes, of \(limits.maxBytes) that the cache may hold")
    }
    let end = ContinuousClock.now.advanced(by: room.isScarce ? .zero : Self.patience)
    var didHelp = true
    while true {
      let entry = try index.enter(object, within: limits.maxBytes, now: now)
      if entry == .entered { return room.noteFound() }
      guard didHelp else { break }
      didHelp =
        entry == .uncounted
        ? try countStock(until: end) : try makeRoom(for: object.bytes, until: end, now: now)
      // Once more, whatever was done.
      if .now >= end { didHelp = false }
    }
    room.noteRefused()
    throw .noRoom("\(limits.maxBytes) bytes are taken by what may not be evicted now")
  }

  /// Counts what lies in the cache, or waits for who does; false where it is not done by then.
  private func countStock(until end: ContinuousClock.Instant) throws(CacheFailure) -> Bool {
    guard let election = try elect(within: max(.zero, ContinuousClock.now.duration(to: end))) else {
      return false
    }
    let isDone = try takeStock(
      until: max(end, ContinuousClock.now.advanced(by: Self.leastStockTime)))
    _ = consume election
    return isDone
  }

  /// Enters an object again whose row went while its publisher was held up before naming the file:
  /// no file is without a row.
  func confirm(_ object: StoredObject, now: Int64) {
    if index.isEntered(object.name) != false { return }
    // What cannot be entered now is entered with the next that can.
    try? index.register(object, now: now)
  }

  /// A row that is not there costs a miss after the next start of the index at most.
  private func enterAboveSize(_ object: StoredObject, now: Int64) {
    try? index.register(object, now: now)
  }

  /// Whether anything was done, by us or by who was evicting; false where nothing may go.
  private func makeRoom(
    for bytes: Int, until end: ContinuousClock.Instant, now: Int64
  ) throws(CacheFailure) -> Bool {
    guard let election = try elect(within: max(.zero, ContinuousClock.now.duration(to: end))) else {
      return false
    }
    let report = try Evictor(self, limits, wanted: bytes, now: now).run()
    _ = consume election
    return report.evicted + report.settled > 0 || report.remaining <= limits.maxBytes - bytes
  }

  /// The file that is to be published takes its place on the disk already.
  private func keepReserve(now: Int64) throws(CacheFailure) {
    if try freeBytes() >= limits.minFree { return }
    if let election = try elect(within: room.isScarce ? .zero : Self.patience) {
      _ = try Evictor(self, limits, now: now).run()
      _ = consume election
    }
    let free = try freeBytes()
    guard free >= limits.minFree else {
      room.noteRefused()
      throw .reserveReached("\(free) bytes free, \(limits.minFree) are to stay free")
    }
  }
}
