package import Files
internal import Glibc
internal import Media

extension JobQueue {
  /// The largest payload that is read ahead for its deadline; larger ones count as having none.
  private static let mostPeekedBytes = 256_000
  /// Payloads read ahead for one claim: a worker that starts on a large backlog must not read all
  /// of it first. The others count as having no deadline of their own until it is their turn.
  private static let mostLooks = 128

  /// Takes in what was announced, and reads the directory when names are missing or it is time to.
  mutating func takeInNews() throws(SystemCallFailure) {
    let news = try watch.news()
    if news.isIncomplete { backlog.hasMore = true }
    if news.isDisplaced { noteDisplacement() }
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
    let mayBegin = isLow || (isDue && backlog.entries.count < settings.mostKnown)
    if backlog.unscanned > 0 || mayBegin { _ = try scan() }
  }

  private mutating func scan() throws(SystemCallFailure) -> Bool {
    backlog.nextScan = .now.advanced(by: settings.rescanInterval)
    if backlog.unscanned == 0 { backlog.unscanned = settings.mostScanned }
    return try backlog.scan(
      directory.incoming, most: settings.mostKnown, step: settings.scanStep)
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
        let isCurrent = line.changes == backlog.changes
        backlog.entries[next.name.text] = nil
        if isCurrent { line.changes = backlog.changes }
        return next
      }
      guard backlog.hasMore, ends < 2 else { return nil }
      if try scan() { ends += 1 }
    }
  }

  private mutating func earliest(
    deliveredBy latest: Timestamp?
  ) throws(SystemCallFailure) -> Backlog.Entry? {
    try lineUp(deliveredBy: latest)
    while let place = line.places.popLast() {
      guard let entry = backlog.entries[place.name], entry.delivered == place.delivered
      else { continue }
      return entry
    }
    return nil
  }

  /// Brings the waiting jobs into their order, when it does not hold any more.
  private mutating func lineUp(deliveredBy latest: Timestamp?) throws(SystemCallFailure) {
    let now = ContinuousClock.now
    guard !line.holds(backlog.changes, deliveredBy: latest, now) else { return }
    let isComplete = try readAhead()
    var places: [JobLine.Place] = []
    var retry: ContinuousClock.Instant?
    for entry in backlog.entries.values {
      if let notBefore = entry.notBefore, notBefore > now {
        retry = min(retry ?? notBefore, notBefore)
      } else if latest.map({ entry.delivered <= $0.nanoseconds }) ?? true {
        places.append(
          JobLine.Place(
            deadline: deadline(of: entry), delivered: entry.delivered, name: entry.name.text))
      }
    }
    line = JobLine(
      places, of: isComplete ? backlog.changes : nil, deliveredBy: latest, madeAt: now,
      holdsUntil: retry)
  }

  /// Reads what is not known yet of the payloads that wait; false when some remain for the next time.
  private mutating func readAhead() throws(SystemCallFailure) -> Bool {
    let count = backlog.entries.count
    var unread: [Backlog.Entry] = []
    for entry in backlog.entries.values where needsLook(entry, among: count) {
      unread.append(entry)
      if unread.count == Self.mostLooks { break }
    }
    for entry in unread { try look(at: entry) }
    return unread.count < Self.mostLooks
  }

  /// Takes in what was announced, and tells when publishing the known jobs, one after the other, must
  /// begin so that none of them is late; nil when none waits. `ahead` manifests will be published
  /// beside them.
  package mutating func latestStart(
    _ cost: PublicationCost, ahead: Int, deliveredBy latest: Timestamp? = nil
  ) throws(SystemCallFailure) -> Timestamp? {
    try takeInNews()
    try lineUp(deliveredBy: latest)
    var earliest: Timestamp?
    for (index, place) in line.places.reversed().enumerated() {
      let start = place.deadline.advanced(by: .zero - cost.latestStartOfTexts(ahead + index + 1))
      earliest = min(earliest ?? start, start)
    }
    return earliest
  }

  /// Jobs known to wait.
  package var waitingCount: Int { backlog.entries.count }

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
        // Another worker took it meanwhile.
        guard try directory.incoming.status(of: entry.name.text) != nil else {
          backlog.entries[entry.name.text] = nil
          return
        }
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
