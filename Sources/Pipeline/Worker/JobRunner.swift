internal import Files
package import Media
internal import SharedCache

/// One claimed job from start to end: through the pipeline, into the outbox, out of active/.
package struct JobRunner: Sendable {
  /// What holds for every job of a worker.
  package struct Settings: Sendable {
    /// For payloads that name none.
    package var profiles: [RenditionProfile]
    package var keepsPayload: Bool
    package var current: CurrentSettings

    package init(profiles: [RenditionProfile], keepsPayload: Bool, current: CurrentSettings) {
      self.profiles = profiles
      self.keepsPayload = keepsPayload
      self.current = current
    }
  }

  let pipeline: Pipeline
  let blocking: BlockingCalls
  /// For publication alone, which waits for nothing that the cache does.
  private let publishing = BlockingCalls(label: "publish")
  let meter: PublicationMeter
  let settings: Settings
  let log: Log
  private let running = RunningJobs()
  private let outboxPace = LogPace()

  package init(
    pipeline: Pipeline, blocking: BlockingCalls, meter: PublicationMeter, settings: Settings,
    log: Log
  ) {
    self.pipeline = pipeline
    self.blocking = blocking
    self.meter = meter
    self.settings = settings
    self.log = log
  }

  /// How long the outbox is tried again when it cannot be written, before the job goes back.
  static let outboxPatience = Duration.seconds(2)

  /// Publishes a manifest for the job before its deadline, and finishes it. A cancelled task hands
  /// the job back. `ahead` manifests may be published before.
  package func run(_ job: consuming ClaimedJob, ahead: Int = 0) async {
    let log = log.about(job: job.identifier.text)
    let deadline = job.timing.monotonicDeadline()
    var request = Pipeline.Request(
      identifier: job.identifier, payload: job.payload, timing: job.timing, profiles: [])
    let current = settings.current.value
    let unknown = request.choose(settings.profiles, among: current)
    if case .reportCrashes(let attempts) = job.task {
      return await reportCrashes(job, request, attempts: attempts, log: log)
    }
    let remaining = deadline.remaining
    let reserve = meter.cost.reserve(for: ahead + 1, of: remaining)
    let limit = limit(
      before: deadline, within: reserve * 2 / 3...max(reserve * 2 / 3, remaining / 2))
    var draft: Pipeline.Draft
    do throws(JobInterest.Loss) {
      let interest = JobInterest(job, among: running)
      let (pipeline, wanted) = (pipeline, request)
      let made = try await interest.whileItLasts {
        await Log.$current.withValue(log) {
          await pipeline.runPunctually(
            wanted, deadline: deadline.reserving(reserve), limit: limit)
        }
      }
      draft = made ?? Pipeline.Draft(textOf: request)
    } catch {
      return await giveUp(job, error, log: log)
    }
    draft.manifest.problems += unknown
    draft.resolveCategory(current)
    let kept = draft
    await FirstAnswer.by(limit, else: ()) { await keepPublished(kept) }
    guard !Task.isCancelled else { return await handBack(job, log: log) }
    await publish(job, draft, log: log)
  }

  /// When a job must be published whatever there is of it: by what publication takes now, beside all
  /// jobs that are in work.
  private func limit(before deadline: Deadline, within range: ClosedRange<Duration>) -> MovingLimit
  {
    MovingLimit {
      let needed = meter.cost.latestStart(for: running.count)
      return deadline.reserving(min(max(needed, range.lowerBound), range.upperBound))
    } noteDelay: {
      meter.note(delay: $0)
    }
  }

  /// The same without pictures, for a job that would be late: overload sinks jobs to their text.
  package func runLate(_ job: consuming ClaimedJob) async {
    let log = log.about(job: job.identifier.text)
    var request = Pipeline.Request(
      identifier: job.identifier, payload: job.payload, timing: job.timing, profiles: [])
    let current = settings.current.value
    let unknown = request.choose(settings.profiles, among: current)
    if case .reportCrashes(let attempts) = job.task {
      return await reportCrashes(job, request, attempts: attempts, log: log)
    }
    var draft = pipeline.lateDraft(of: request)
    draft.manifest.problems += unknown
    draft.resolveCategory(current)
    await publish(job, draft, log: log)
  }

  /// What phones will fetch must outlive eviction (`--keep-published`).
  private func keepPublished(_ draft: Pipeline.Draft) async {
    guard let keep = pipeline.publicObjects?.keep, !draft.published.isEmpty else { return }
    let until = WallClock.now() + keep.wholeMilliseconds
    let (cache, objects) = (pipeline.cache, draft.published)
    do throws(CacheFailure) {
      try await blocking.run { () throws(CacheFailure) in
        try cache.keepPublished(objects, until: until)
      }
    } catch {
      log.warning("published objects may be evicted early: \(error)")
    }
  }

  private func reportCrashes(
    _ job: consuming ClaimedJob, _ request: Pipeline.Request, attempts: Int, log: Log
  ) async {
    let problem = Problem(
      .intake, .workerCrashed, "the job took its worker down \(attempts) times")
    let draft = Pipeline.Draft(textOf: request).textOnly(because: problem)
    log.error(problem.message)
    await publish(job, draft, failingWith: problem, log: log)
  }

  /// Ends a job that nobody wants any more, with nothing published.
  private func giveUp(
    _ job: consuming ClaimedJob, _ loss: JobInterest.Loss, log: Log
  ) async {
    guard case .superseded(let later) = loss else { return log.info("cancelled") }
    let handover = Handover(job)
    let keepsPayload = settings.keepsPayload
    do throws(SystemCallFailure) {
      try await blocking.run { () throws(SystemCallFailure) in
        try handover.take()?.finishSuperseded(by: later, keepingPayload: keepsPayload)
      }
      log.info("superseded by a later payload of its id")
    } catch {
      log.warning("superseded, but not finished: \(error)")
    }
  }

  private func handBack(_ job: consuming ClaimedJob, log: Log) async {
    let handover = Handover(job)
    do throws(SystemCallFailure) {
      try await blocking.run { () throws(SystemCallFailure) in try handover.take()?.handBack() }
      log.info("handed back")
    } catch {
      // Its lease ends with the process: the next worker finds it in active/.
      log.warning("could not be handed back: \(error)")
    }
  }

  private func publish(
    _ job: consuming ClaimedJob, _ draft: Pipeline.Draft, failingWith problem: Problem? = nil,
    log: Log
  ) async {
    let turn = job.timing.monotonicDeadline().instant
    let handover = Handover(job)
    let (log, keepsPayload, pace) = (log, settings.keepsPayload, outboxPace)
    await publishing.run(turn: turn) { [meter] in
      guard let job = handover.take() else { return }
      let run = meter.begin()
      defer { meter.end(run) }
      var publication = Publication(
        draft: draft, log: log, keepsPayload: keepsPayload, pace: pace)
      publication.run(job, failingWith: problem)
    }
  }
}

extension Pipeline.Request {
  /// The payload's own profiles, else the worker's; unknown names give a note each.
  mutating func choose(
    _ usual: [RenditionProfile], among settings: Settings
  ) -> [Problem] {
    var problems: [Problem] = []
    for name in payload.profiles {
      if let profile = settings.profile(named: name) {
        if !profiles.contains(profile) { profiles.append(profile) }
      } else {
        problems.append(
          Problem(.intake, .badField, "profiles: '\(name)' is no profile", severity: .note))
      }
    }
    if profiles.isEmpty { profiles = usual }
    return problems
  }
}

extension Pipeline.Draft {
  /// Writes the actions of the payload's category into the manifest; an unknown one is told of.
  mutating func resolveCategory(_ settings: Settings) {
    guard let identifier = manifest.notification.categoryIdentifier else { return }
    if let category = settings.category(identifier) {
      manifest.notification.actions = category.actions
    } else if !settings.categories.isEmpty {
      manifest.problems.append(
        Problem(
          .intake, .unknownCategory, "'\(identifier)' is no category of the settings",
          severity: .warning))
    }
  }
}
