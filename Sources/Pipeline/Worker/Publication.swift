internal import Files
internal import Glibc
internal import Media

/// The last step of a job, on a thread that may block: the folder into the outbox, then the payload
/// out of active/.
struct Publication {
  var draft: Pipeline.Draft
  let log: Log
  let keepsPayload: Bool
  /// How often it is told that the outbox cannot be written, by all jobs together.
  let pace: LogPace

  /// `problem` sends the payload to failed/ instead of done/.
  mutating func run(_ job: consuming ClaimedJob, failingWith problem: Problem?) {
    let started = ContinuousClock.now
    var job = job
    let giveUp = started.advanced(by: JobRunner.outboxPatience)
    while true {
      stamp(job.timing, started)
      do throws(PublishFailure) {
        let outcome = try job.publish(draft.manifest, files: draft.files, sources: draft.sources)
        return finish(job, outcome, problem)
      } catch {
        guard recover(from: error, giveUp: giveUp) else { return handBack(job) }
      }
    }
  }

  /// Prepares another try; false when the outbox has been in the way for too long.
  private mutating func recover(
    from failure: PublishFailure, giveUp: ContinuousClock.Instant
  ) -> Bool {
    switch failure {
    case .file(let problem):
      // A cached picture went between look-up and link: the text is published all the same.
      log.warning("\(problem.code.rawValue): \(problem.message)")
      draft = draft.textOnly(because: problem)
      return true
    case .outbox(let failure):
      log.error("the outbox cannot be written: \(failure)", at: pace)
      usleep(100_000)
      return .now < giveUp
    }
  }

  private mutating func stamp(_ timing: JobTiming, _ started: ContinuousClock.Instant) {
    let finished = Timestamp.now
    draft.manifest.timing.finished = finished
    draft.manifest.timing.milliseconds.publish = Int(
      clamping: started.duration(to: .now).wholeMilliseconds)
    draft.manifest.timing.milliseconds.total = Int(
      clamping: max(.zero, timing.arrival.duration(to: finished)).wholeMilliseconds)
  }

  private func finish(
    _ job: consuming ClaimedJob, _ outcome: PublishOutcome, _ problem: Problem?
  ) {
    let margin = Timestamp.now.duration(to: job.timing.deadline)
    tell(outcome, margin: margin)
    do throws(SystemCallFailure) {
      if let problem {
        try job.fail(problem)
      } else if case .superseded = outcome {
        try job.finishSuperseded(keepingPayload: keepsPayload)
      } else {
        try job.finish(keepingPayload: keepsPayload)
      }
    } catch {
      // The folder is durable: recovery finishes the job without publishing it again.
      log.warning("published, but not finished: \(error)")
    }
  }

  private func tell(_ outcome: PublishOutcome, margin: Duration) {
    let manifest = draft.manifest
    switch outcome {
    case .published(let generation):
      var fields: JSONObject = [
        "rung": JSONValue(manifest.attachments.map(\.rung.rawValue)),
        "generation": JSONValue(generation),
        "ms": JSONValue(manifest.timing.milliseconds.total ?? 0),
      ]
      // What was over before it came had no time to be kept.
      if manifest.status != .expired {
        fields.members.append(
          .init(name: "margin_ms", value: JSONValue(Int(clamping: margin.wholeMilliseconds))))
      }
      let codes = Set(manifest.problems.map(\.code.rawValue)).sorted()
      fields.members.append(.init(name: "problems", value: JSONValue(codes)))
      log.info(manifest.status.rawValue, fields)
    case .superseded: log.info("superseded by a later payload of its id")
    case .cancelled: log.info("cancelled")
    }
  }

  private func handBack(_ job: consuming ClaimedJob) {
    do throws(SystemCallFailure) {
      try job.handBack()
    } catch {
      log.warning("could not be handed back: \(error)")
    }
  }
}
