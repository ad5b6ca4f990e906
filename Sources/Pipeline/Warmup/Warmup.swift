internal import Download
internal import Files
internal import Glibc
package import Media
internal import SharedCache

/// Fills the cache ahead of time: pages, feeds, sitemaps, lists and payloads lead to pictures, which
/// go through the same Fetch and Render as those of jobs, so that the job that comes later finds
/// everything. Each host is asked by few at once, and left alone where it says so.
package struct Warmup: Sendable {
  /// How a run is bounded.
  package struct Limits: Sendable, Hashable {
    package var budget = Duration.seconds(300)
    package var perHost = 2
    package var parallel = 16
    /// What stops being fresh within so long is asked for again.
    package var refreshBefore = Duration.seconds(3600)
    /// Of one item.
    package var itemTime = Duration.seconds(30)

    package init() {}
  }

  /// What is told while a run goes on.
  package enum News: Sendable {
    case progress(done: Int, total: Int)
    case failure(Problem)
    /// A file that the command line names could not be read.
    case unreadable(String)
  }

  let work: WarmWork
  let parser: DocumentParser
  let pauses: HostPauses
  let limits: Limits
  let settings: Settings
  let cache: SharedCache
  let documents: SharedDocuments

  private enum Event: Sendable {
    case ended(WarmItem, WarmWork.Outcome, isDone: Bool)
    case wake
    case timeIsUp
    case interrupted
  }

  private static let mostRefreshed = 20_000

  /// Runs until nothing is left, the budget is used up, or a signal comes.
  func run(
    _ sources: [WarmSource], folder: borrowing WarmFolder, stoppedBy signals: StopSignals,
    tell: @escaping (News) -> Void
  ) async throws(UnusableEnvironment) -> WarmReport {
    let started = ContinuousClock.now
    let end = Deadline(started.advanced(by: limits.budget))
    let journal = try open(sources, in: folder)
    let run = WarmRun(
      journal: journal, perHost: limits.perHost, pauses: pauses, settings: settings
    ) { tell($0) }
    await add(sources, to: run, deadline: end.reserving(reserve))
    run.add(refreshItems())
    await loop(run, folder: folder, end: end, signals: signals, tell: tell)
    folder.savePauses(pauses.all(now: WallClock.now()))
    folder.pruneJournals()
    documents.prune()
    // The limits of the cache hold without a worker, too.
    _ = try? cache.housekeep()
    return run.close(elapsed: started.duration(to: .now))
  }

  /// Kept back for what comes after the last item.
  private var reserve: Duration { min(.seconds(1), limits.budget / 10) }

  private func open(
    _ sources: [WarmSource], in folder: borrowing WarmFolder
  ) throws(UnusableEnvironment) -> WarmJournal {
    let shapes = work.profiles.map(work.attach.render.recipe.cacheKey)
    let name = (sources.map(\.identity).sorted() + shapes).joined(separator: "\n")
    do throws(SystemCallFailure) {
      return try WarmJournal.open(of: name, in: try folder.folder.subdirectory("."))
    } catch {
      throw UnusableEnvironment("cache: \(error)")
    }
  }

  private func add(_ sources: [WarmSource], to run: WarmRun, deadline: Deadline) async {
    for source in sources {
      switch source {
      case .web(let address):
        run.add([WarmItem(url: address.description, work: .source)])
      case .file(let path, let input):
        do throws(Problem) {
          let (form, body) = try await parser.parse(
            input, contentType: nil, base: nil, deadline: deadline)
          run.add(
            WarmDocument(
              url: "", finalURL: "", fields: ResponseFields([]), requestTime: 0, responseTime: 0,
              form: form, body: body), depth: 0, path: FileName.shown(path))
        } catch {
          var problem = error
          problem.message = "\(path): \(problem.message)"
          run.count(problem)
        }
      case .unusable(let problem): run.count(problem)
      case .unreadable(let reason): run.countUnreadable(reason)
      }
    }
  }

  private func refreshItems() -> [WarmItem] {
    let now = WallClock.now()
    let horizon = limits.refreshBefore.wholeMilliseconds
    let known = try? cache.sources(
      expiringFrom: now, before: now + horizon, limit: Self.mostRefreshed)
    return (known ?? []).filter {
      $0.format.kind == .image && ["", work.attach.fetch.subject.accept].contains($0.key.variant)
    }.map { WarmItem(url: $0.key.url, work: .refresh) }
  }

  private func loop(
    _ run: WarmRun, folder: borrowing WarmFolder, end: Deadline, signals: StopSignals,
    tell: (News) -> Void
  ) async {
    let lastStart = end.reserving(min(.seconds(5), limits.budget / 5))
    let arrivals = signals.arrivals
    var savedPauses = 0
    await withTaskGroup(of: Event.self) { group in
      group.addTask {
        try? await Task.sleep(for: lastStart.remaining)
        return .timeIsUp
      }
      group.addTask {
        for await _ in arrivals { return .interrupted }
        return .wake
      }
      var timers = 0
      while true {
        start(run, in: &group, end: end)
        if run.running == 0 {
          guard !run.isStopping, let wake = run.queue.nextWake, wake < lastStart.wallTime else {
            break
          }
        }
        if timers == 0, !run.isStopping, let wake = run.queue.nextWake {
          timers += 1
          group.addTask {
            try? await Task.sleep(for: .milliseconds(max(1, wake - WallClock.now() + 1)))
            return .wake
          }
        }
        switch await group.next() {
        case .ended(let item, let outcome, let isDone):
          run.finish(item, outcome, isDone: isDone)
          tell(.progress(done: run.ended, total: run.total))
        case .wake: timers = 0
        case .timeIsUp: run.isStopping = true
        case .interrupted:
          run.isStopping = true
          group.cancelAll()
        case nil: break
        }
        if pauses.changes != savedPauses {
          savedPauses = pauses.changes
          folder.savePauses(pauses.all(now: WallClock.now()))
        }
      }
      group.cancelAll()
    }
  }

  private func start(_ run: WarmRun, in group: inout TaskGroup<Event>, end: Deadline) {
    while run.running < limits.parallel, let (item, isDone) = run.next() {
      let deadline = min(.after(limits.itemTime), end.reserving(reserve))
      group.addTask { [work] in
        .ended(item, await work.run(item, isDone: isDone, deadline: deadline), isDone: isDone)
      }
    }
  }
}

extension Deadline {
  /// The same instant by the clock on the wall, milliseconds since 1970.
  fileprivate var wallTime: Int64 { WallClock.now() + remaining.wholeMilliseconds }
}
