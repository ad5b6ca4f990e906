internal import Files
internal import Glibc
internal import Media

extension JobQueue {
  /// The largest payload that is read ahead for its deadline; larger ones count as having none.
  private static let mostPeekedBytes = 256_000
  /// Payloads read ahead for one claim: a worker that starts on a large backlog must not read all
  /// of it first. The others count as having no deadline of their own until it is their turn.
  private static let mostLooks = 512

  /// Takes in what was announced, and reads the directory when names are missing or it is time to.
  mutating func takeInNews() throws(SystemCallFailure) {
    let news = try watch.news()
    if news.isIncomplete { backlog.hasMore = true }
    for name in news.arrived {
      try backlog.note(
        name, isComplete: true, in: directory.incoming, most: settings.mostKnown)
    }
    for name in news.touched {
      try backlog.note(
        name, isComplete: false, in: directory.incoming, most: settings.mostKnown)
    }
    try refill()
  }

  private mutating func refill() throws(SystemCallFailure) {
    let now = ContinuousClock.now
    let isLow = backlog.hasMore && backlog.entries.count <= settings.mostKnown / 2
    let isDue = backlog.nextScan.map { $0 <= now } ?? true
    guard isLow || (isDue && backlog.entries.count < settings.mostKnown) else { return }
    _ = try scan()
  }

  private mutating func scan() throws(SystemCallFailure) -> Bool {
    backlog.nextScan = .now.advanced(by: settings.rescanInterval)
    return try backlog.scan(
      directory.incoming, most: settings.mostKnown, mostScanned: settings.mostScanned)
  }

  /// Takes the known job with the earliest deadline off the list.
  mutating func takeNext(
    deliveredBy latest: Timestamp?
  ) throws(SystemCallFailure) -> Backlog.Entry? {
    // A reading that began in the middle may miss what was forgotten before: one more begins at the
    // start.
    var ends = 0
    while true {
      if let next = try earliest(deliveredBy: latest) {
        backlog.entries[next.name.text] = nil
        return next
      }
      guard backlog.hasMore, ends < 2 else { return nil }
      if try scan() { ends += 1 }
    }
  }

  private mutating func earliest(
    deliveredBy latest: Timestamp?
  ) throws(SystemCallFailure) -> Backlog.Entry? {
    let count = backlog.entries.count
    var unread: [Backlog.Entry] = []
    for entry in backlog.entries.values where needsLook(entry, among: count) {
      unread.append(entry)
      if unread.count == Self.mostLooks { break }
    }
    for entry in unread { try look(at: entry) }
    let now = ContinuousClock.now
    return backlog.entries.values.lazy
      .filter { entry in
        (entry.notBefore.map { $0 <= now } ?? true)
          && (latest.map { entry.delivered <= $0.nanoseconds } ?? true)
      }
      .min { (deadline(of: $0), $0.delivered) < (deadline(of: $1), $1.delivered) }
  }

  /// A single job needs no comparison, and one that was renamed in is complete.
  private func needsLook(_ entry: Backlog.Entry, among count: Int) -> Bool {
    guard entry.deadline == nil, entry.isRegularFile, entry.notBefore.map({ $0 <= .now }) ?? true
    else { return false }
    return count > 1 || (!entry.isComplete && isFresh(entry))
  }

  private func isFresh(_ entry: Backlog.Entry) -> Bool {
    Timestamp(nanoseconds: entry.delivered).duration(to: .now) < Self.settlingTime
  }

  private func deadline(of entry: Backlog.Entry) -> Timestamp {
    entry.deadline ?? usualDeadline(of: entry)
  }

  private func usualDeadline(of entry: Backlog.Entry) -> Timestamp {
    arrival(of: entry).advanced(by: settings.timing.usual)
  }

  private func arrival(of entry: Backlog.Entry) -> Timestamp {
    max(Timestamp(nanoseconds: entry.delivered), startedAt)
  }

  /// Reads a payload where it is, for its deadline; one that does not parse and is still fresh may
  /// be in writing, and is left alone for a while.
  private mutating func look(at entry: Backlog.Entry) throws(SystemCallFailure) {
    var entry = entry
    entry.deadline = usualDeadline(of: entry)
    if entry.size <= Self.mostPeekedBytes {
      do throws(Problem) {
        let payload = try peek(entry)
        entry.deadline =
          JobTiming(arrival: arrival(of: entry), payload: payload, policy: settings.timing).deadline
      } catch {
        if error.code == .unreadablePayload, isFresh(entry) {
          entry.deadline = nil
          entry.notBefore = .now.advanced(by: Self.retryInterval)
        }
      }
    }
    backlog.entries[entry.name.text] = entry
  }

  private func peek(_ entry: Backlog.Entry) throws(Problem) -> Payload {
    let bytes: [UInt8]
    do throws(SystemCallFailure) {
      let file = try directory.incoming.open(entry.name.text, flags: O_RDONLY | O_NONBLOCK)
      bytes = try file.read(at: 0, count: Self.mostPeekedBytes + 1)
    } catch { throw Payload.unreadable("\(error)") }
    return try Payload.read(bytes, fileExtension: entry.name.fileExtension)
  }
}
