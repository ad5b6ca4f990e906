internal import Download
internal import Files
internal import Media
internal import SharedCache

/// The state of one run: what waits, what was met, what is done. One task owns it.
final class WarmRun {
  private(set) var queue: WarmQueue
  private(set) var report = WarmReport()
  private(set) var running = 0
  /// Items that have come to an end.
  private(set) var ended = 0
  /// Why nothing more is started.
  var isStopping = false

  private var seen: Set<WarmKey> = []
  private var journal: WarmJournal
  private let pauses: HostPauses
  private let settings: Settings
  private let tell: (Warmup.News) -> Void
  /// What became of each picture, by its address.
  private var pictures: [WarmKey: Manifest.Source.CacheUse] = [:]
  private var cutOff = 0
  private var listings = 0

  /// Addresses of one run.
  private static let mostItems = 500_000
  /// Feeds and sitemaps of one run.
  private static let mostListings = 5000
  private static let mostPostponements = 3

  init(
    journal: consuming WarmJournal, perHost: Int, pauses: HostPauses, settings: Settings,
    tell: @escaping (Warmup.News) -> Void
  ) {
    self.journal = journal
    self.pauses = pauses
    self.settings = settings
    self.tell = tell
    queue = WarmQueue(perHost: perHost)
  }

  /// How many there are, as far as is known.
  var total: Int { ended + running + queue.count }

  /// Takes what has not been met yet.
  func add(_ items: [WarmItem]) {
    for item in items where seen.count < Self.mostItems {
      if case .listing = item.work {
        guard listings < Self.mostListings else { continue }
        listings += 1
      }
      guard seen.insert(item.key).inserted else { continue }
      if let mark = journal.done[item.key], mark != .document {
        report.resumed += 1
        ended += 1
      } else {
        queue.add(item)
      }
    }
  }

  /// The next item, and whether its document was read by an interrupted run.
  func next() -> (item: WarmItem, isDone: Bool)? {
    guard !isStopping, let item = queue.next(pauses, now: WallClock.now()) else { return nil }
    running += 1
    return (item, journal.done[item.key] == .document)
  }

  func finish(_ item: WarmItem, _ outcome: WarmWork.Outcome, isDone: Bool) {
    running -= 1
    queue.done(item.host)
    if pauses.takePostponed(item.url), item.postponements < Self.mostPostponements {
      var later = item
      later.postponements += 1
      return queue.add(later)
    }
    switch outcome {
    case .picture(let use):
      note(use, of: item)
      end(item, .picture)
    case .document(let document, let use):
      note(use, isDone: isDone)
      add(document, depth: item.depth)
      end(item, .document)
    case .failed(let problem): fail(item, problem)
    }
  }

  /// What a document leads to; of a file the operator named too.
  /// `path` is that of a document which came as a file.
  func add(_ document: WarmDocument, depth: UInt8, path: String? = nil) {
    let contents = document.contents(depth: depth, settings: settings)
    for var problem in contents.problems {
      if let path { problem.message = "\(path): \(problem.message)" }
      problem.url = problem.url ?? WebAddress(document.url)?.redacted
      count(problem)
    }
    add(contents.items)
  }

  func count(_ problem: Problem) {
    report.failures[problem.code, default: 0] += 1
    tell(.failure(problem))
  }

  func countUnreadable(_ reason: String) {
    report.unreadable += 1
    tell(.unreadable(reason))
  }

  /// Counts a picture once, by the most that was done for it: an address that a source names may be
  /// one that is to stay fresh as well.
  private func note(_ use: Manifest.Source.CacheUse, of item: WarmItem) {
    if case .media = item.work { return report.note(use) }
    let key = WarmItem(url: item.url, work: .picture).key
    if let before = pictures[key] {
      guard use.effort > before.effort else { return }
      report.note(before, by: -1)
    }
    pictures[key] = use
    report.note(use)
  }

  /// The report of a run that is over; the journal goes where nothing is left.
  func close(elapsed: Duration) -> WarmReport {
    report.left = queue.count + cutOff
    report.elapsed = elapsed
    if report.left == 0 { journal.finish() } else { journal.sync() }
    return report
  }

  private func end(_ item: WarmItem, _ mark: WarmJournal.Mark) {
    ended += 1
    journal.note(item.key, mark)
  }

  private func note(_ use: DocumentStage.Use, isDone: Bool) {
    switch use {
    case _ where isDone: report.resumed += 1
    case .read: report.documents.read += 1
    case .revalidated: report.documents.revalidated += 1
    case .fresh: report.documents.fresh += 1
    }
  }

  private func fail(_ item: WarmItem, _ problem: Problem) {
    if isStopping, Self.isOfTime(problem.code) {
      cutOff += 1
      ended += 1
      return
    }
    if problem.code == .diskFull {
      // Not done, but left: there may be room for the next run.
      isStopping = true
      cutOff += 1
      ended += 1
      return count(problem)
    }
    if case .choice(let choice) = item.work, let next = WarmItem(choice.rest, depth: item.depth) {
      end(item, .failure)
      return add([next])
    }
    count(problem)
    end(item, .failure)
  }

  private static func isOfTime(_ code: Problem.Code) -> Bool {
    [.downloadTimeout, .deadlineExceeded, .decoderTimeout].contains(code)
  }
}

extension Manifest.Source.CacheUse {
  /// How much was done for a picture.
  fileprivate var effort: Int {
    switch self {
    case .stale: 0
    case .hit, .coalesced: 1
    case .revalidated: 2
    case .miss: 3
    }
  }
}
