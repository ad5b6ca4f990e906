package import Media
package import SharedCache

/// What becomes of a job's payload, stage by stage. Each stage gets what it needs and the deadline,
/// and answers in time; what cannot be had is a problem in the manifest, never an error.
///
///     Resolve   payload → addresses, best first
///     Fetch     address → bytes, out of the cache or by one download for all
///     Render    bytes → bounded pictures, by one decode in a confined child
///     Attach    the first candidate for which both succeed
///     Publish   manifest and files → outbox (`JobRunner`)
package struct Pipeline: Sendable {
  let cache: SharedCache
  let resolve: ResolveStage
  let attach: AttachStage

  package init(cache: SharedCache, resolve: ResolveStage, attach: AttachStage) {
    self.cache = cache
    self.resolve = resolve
    self.attach = attach
  }

  /// A job, without its place in the job directory.
  package struct Request: Sendable {
    package var identifier: JobIdentifier
    package var payload: Payload
    package var timing: JobTiming
    package var profiles: [RenditionProfile]
  }

  /// A manifest that is ready but for its time, and the files it names.
  package struct Draft: Sendable {
    package var manifest: Manifest
    package var files: [OutboxFile]
  }

  /// The best that can be had before `deadline`, which lies before the job's own: publishing takes
  /// time too.
  package func run(_ request: Request, deadline: Deadline) async -> Draft {
    let started = Timestamp.now
    var draft = Draft(textOf: request)
    guard !request.timing.isExpired else {
      draft.manifest.status = .expired
      draft.manifest.problems.append(
        Problem(.intake, .expired, "the job's own deadline had passed when it came"))
      return draft
    }
    let (candidates, problems) = resolve.run(request.payload)
    draft.manifest.problems += problems
    let result = await attach.run(candidates, profiles: request.profiles, deadline: deadline)
    draft.manifest.problems += result.problems
    draft.add(result, cache: cache)
    draft.manifest.status = draft.status(isWanted: request.payload.namesMedia)
    draft.manifest.timing.note(request, started: started, result)
    return draft
  }
}

extension Pipeline.Draft {
  /// The text of a payload, and no picture.
  init(textOf request: Pipeline.Request) {
    let timing = request.timing
    manifest = Manifest(
      id: request.identifier.text, status: .textOnly,
      notification: Manifest.Notification(request.payload), problems: request.payload.notes,
      timing: .init(arrived: timing.arrival, deadline: timing.deadline, finished: timing.arrival))
    files = []
  }

  /// The same without its files: for when one of them could not be put into the outbox.
  func textOnly(because problem: Problem) -> Pipeline.Draft {
    var draft = self
    draft.files = []
    draft.manifest.attachments = []
    draft.manifest.problems.append(problem)
    draft.manifest.status = .textOnly
    return draft
  }

  fileprivate mutating func add(_ result: AttachedPicture, cache: SharedCache) {
    guard let (attachment, rendered) = result.picture else { return }
    manifest.attachments.append(attachment)
    files += rendered.renditions.map { $0.outboxFile(cache: cache) }
  }

  fileprivate mutating func status(isWanted: Bool) -> Manifest.Status {
    guard isWanted else { return .complete }
    guard !manifest.attachments.isEmpty else {
      manifest.problems.append(
        Problem(.download, .noPicture, "no candidate gave a picture", severity: .warning))
      return .textOnly
    }
    return manifest.attachments.allSatisfy { $0.rung == .full } ? .complete : .degraded
  }
}

extension Manifest.Timing {
  fileprivate mutating func note(
    _ request: Pipeline.Request, started: Timestamp, _ result: AttachedPicture
  ) {
    milliseconds.queued = Int(
      clamping: max(.zero, request.timing.arrival.duration(to: started)).wholeMilliseconds)
    milliseconds.download = Int(clamping: result.downloadTime.wholeMilliseconds)
    milliseconds.decode = Int(clamping: result.decodeTime.wholeMilliseconds)
  }
}
