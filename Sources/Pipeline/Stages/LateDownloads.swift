internal import Media
internal import SharedCache
internal import Synchronization

/// Downloads that missed their deadline, or came second to an alternate, and finish into the cache:
/// few at a time, bounded in bytes and time, given up when nothing more comes.
package final class LateDownloads: Sendable {
  /// Bytes of all that are under way, counted from their deadlines on.
  static let byteLimit = 64_000_000
  /// From the deadline on.
  static let time = Duration.seconds(30)
  /// Without a new byte; when the worker ends, less.
  private static let patience = Duration.seconds(5)
  private static let lastPatience = Duration.seconds(1)
  private static let lookInterval = Duration.milliseconds(100)

  /// At most eight at a time.
  let running = Revalidations()
  private let byteCount = Mutex(0)

  package init() {}

  /// Lets a download go on, and its flight with it; false where there are too many.
  func adopt(_ download: RunningDownload, of url: String, _ landing: Landing) -> Bool {
    landing.isPostponed = true
    let isTaken = running.start(url) { [self] in
      await watch(download)
      landing.land()
    }
    if !isTaken { landing.isPostponed = false }
    return isTaken
  }

  private func watch(_ download: RunningDownload) async {
    let end = Deadline.after(Self.time)
    var (received, counted, lastNews) = (download.received, 0, ContinuousClock.now)
    defer { byteCount.withLock { $0 -= counted } }
    while await download.outcome(by: .after(Self.lookInterval)) == nil {
      let growth = download.received - received
      if growth != 0 { lastNews = .now }
      received += growth
      counted += max(0, growth)
      let all = byteCount.withLock { count in
        count += max(0, growth)
        return count
      }
      let patience = running.isClosing ? Self.lastPatience : Self.patience
      guard !Task.isCancelled, !end.hasPassed, all <= Self.byteLimit,
        lastNews.duration(to: .now) < patience
      else { break }
    }
    download.cancel()
    // A cancelled transfer ends at once; what is being stored is stored.
    await download.settled()
  }
}

/// The end of a flight: with its job's download, or later with one that outlasts its job.
final class Landing: Sendable {
  private let flight: Handover<Flight>
  private let race: RaceOutcome?
  private let postponed = Atomic(false)

  init(_ flight: consuming Flight, in race: RaceOutcome?) {
    self.flight = Handover(flight)
    self.race = race
  }

  /// Whether another candidate has won: a download that is cancelled then may finish late.
  var isLost: Bool { race?.isDecided ?? false }

  var isPostponed: Bool {
    get { postponed.load(ordering: .acquiring) }
    set { postponed.store(newValue, ordering: .releasing) }
  }

  func land() {
    flight.take()?.land()
  }
}
