internal import Download
package import Media
package import SharedCache

/// What becomes of a job's payload, stage by stage. Each stage gets what it needs and the deadline,
/// and answers in time; what cannot be had is a problem in the manifest, never an error.
///
///     Resolve   payload → addresses, best first
///     Page      address → the pictures a page names, its title, its publisher
///     Fetch     address → bytes, out of the cache or by one download for all
///     Render    bytes → bounded pictures, by one decode in a confined child
///     Attach    the first candidate for which both succeed; the page's come last
///     Media     sound and film → posters, covers, files that notifications play
///     Publish   manifest and files → outbox (`JobRunner`)
package struct Pipeline: Sendable {
  let cache: SharedCache
  let resolve: ResolveStage
  let attach: AttachStage
  let media: MediaStage
  /// Nil where pages are left alone.
  let pages: PageStage?
  /// Where objects are served to phones; nil where they are not.
  let publicObjects: PublicObjects?

  package init(
    cache: SharedCache, resolve: ResolveStage, attach: AttachStage, pages: PageStage?,
    publicObjects: PublicObjects? = nil
  ) {
    self.cache = cache
    self.resolve = resolve
    self.attach = attach
    media = MediaStage(
      fetch: attach.fetch.fetching(.media), render: attach.render, rules: attach.rules)
    self.pages = pages
    self.publicObjects = publicObjects
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
    /// Objects that the manifest names.
    package var published: [ObjectName] = []
  }

  /// The best that can be had before `deadline`, which lies before the job's own: publishing takes
  /// time too.
  package func run(_ request: Request, deadline: Deadline) async -> Draft {
    let started = Timestamp.now
    var draft = Draft(textOf: request)
    guard !draft.noteExpiry(of: request) else { return draft }
    let (candidates, problems) = resolve.run(request.payload)
    draft.manifest.problems += problems
    let page = pages == nil ? nil : request.pageAddress
    let isPageLost = pages != nil && page == nil && request.payload.pageAddress != nil
    if isPageLost, !request.payload.namesMedia { draft.manifest.problems.append(.unfetchablePage) }
    var result = await attach.run(
      candidates, profiles: request.profiles, deadline: deadline, othersWait: page != nil)
    let media = await media.run(
      request.payload, profiles: request.profiles, besidePicture: !result.isEmpty,
      deadline: deadline)
    if result.picture == nil, media.attachments.isEmpty, let page, !deadline.hasPassed {
      let contents = await read(page, for: request, deadline: deadline, into: &draft)
      let others = contents.candidates(for: request.payload, beside: candidates)
      result.append(await attach.run(others, profiles: request.profiles, deadline: deadline))
    }
    result.settle()
    draft.manifest.problems += result.problems + media.problems
    for found in [result.picture].compactMap({ $0 }) + media.attachments {
      draft.add(found, cache: cache, publicObjects)
    }
    let isWanted =
      request.payload.namesMedia || isPageLost
      || draft.manifest.timing.milliseconds.page != nil
    result.downloadTime += media.downloadTime
    result.decodeTime += media.decodeTime
    draft.manifest.status = draft.status(isWanted: isWanted, isShort: media.isShort)
    draft.manifest.timing.note(request, started: started, result)
    return draft
  }

  /// Reads the job's page, and fills in what the payload does not say.
  private func read(
    _ page: WebAddress, for request: Request, deadline: Deadline, into draft: inout Draft
  ) async -> PageContents? {
    let started = ContinuousClock.now
    let contents = await pages?.run(page, deadline: deadline.share(PageStage.shareOfTime))
    draft.manifest.timing.milliseconds.page = Int(
      clamping: started.duration(to: .now).wholeMilliseconds)
    draft.manifest.problems += contents?.problems ?? []
    draft.fill(from: contents, payload: request.payload)
    return contents
  }
}

extension Pipeline.Request {
  /// The page where it can be fetched.
  var pageAddress: WebAddress? { payload.pageAddress.flatMap { WebAddress($0) } }

  /// What stands for a title.
  fileprivate var shownHost: String? {
    let host = pageAddress?.host ?? payload.pageAddress.flatMap(PayloadAddress.shownHost)
    return host.flatMap { NotificationText.clean($0, limit: NotificationText.Limit.title) }
  }
}

extension Problem {
  fileprivate static let unfetchablePage = Problem(
    .page, .unsupportedURL, "url is no http or https address that may be fetched",
    severity: .warning)
}

extension PageContents? {
  /// The page's candidates as a payload wants them: alternates where it names pictures of its own,
  /// without those that have been tried, its text before the page's.
  fileprivate func candidates(
    for payload: Payload, beside tried: [PictureCandidate]
  ) -> [PictureCandidate] {
    (self?.candidates ?? []).compactMap { candidate in
      if tried.contains(where: { $0.address == candidate.address }) { return nil }
      var candidate = candidate
      if payload.namesMedia, candidate.rung == .full { candidate.rung = .alternate }
      candidate.altText = payload.altText ?? candidate.altText
      return candidate
    }
  }
}

extension Pipeline.Draft {
  /// The text of a payload, and no picture. Without a title the host stands for one.
  init(textOf request: Pipeline.Request) {
    let timing = request.timing
    manifest = Manifest(
      id: request.identifier.text, status: .textOnly,
      notification: Manifest.Notification(request.payload), problems: request.payload.notes,
      timing: .init(arrived: timing.arrival, deadline: timing.deadline, finished: timing.arrival))
    files = []
    if request.payload.title == nil { manifest.notification.title = request.shownHost }
  }

  /// The text of a job for which there is no time for more.
  init(lateTextOf request: Pipeline.Request) {
    self.init(textOf: request)
    guard !noteExpiry(of: request) else { return }
    if request.payload.namesMedia || request.pageAddress != nil {
      manifest.problems.append(
        Problem(
          .intake, .deadlineExceeded, "too many jobs waited: no time was left for pictures",
          severity: .warning))
    } else {
      manifest.status = .complete
    }
    manifest.timing.milliseconds.queued = Int(
      clamping: max(.zero, request.timing.arrival.duration(to: .now)).wholeMilliseconds)
  }

  /// Whether the job's own deadline had passed when it came; then the draft says so.
  fileprivate mutating func noteExpiry(of request: Pipeline.Request) -> Bool {
    guard request.timing.isExpired else { return false }
    manifest.status = .expired
    manifest.problems.append(
      Problem(.intake, .expired, "the job's own deadline had passed when it came"))
    return true
  }

  /// What the payload gives is never replaced.
  fileprivate mutating func fill(from page: PageContents?, payload: Payload) {
    if payload.title == nil, let title = page?.title { manifest.notification.title = title }
    if payload.mediaCompany == nil { manifest.notification.subtitle = page?.publisher }
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

  /// Takes an attachment in, with the contents of its renditions.
  fileprivate mutating func add(
    _ found: (attachment: Manifest.Attachment, contents: [RenderedPicture.Content]),
    cache: SharedCache, _ publicObjects: PublicObjects?
  ) {
    var attachment = found.attachment
    for (index, content) in found.contents.enumerated() {
      let rendition = attachment.renditions[index]
      if case .object(let object) = content {
        attachment.renditions[index].objectURL = publicObjects?.url(of: object)
        published.append(object)
      }
      manifest.problems += [Problem.memory(rendition.decodedBytes, of: rendition.file)]
        .compactMap { $0 }
      guard let name = rendition.file else { continue }
      files.append(content.outboxFile(named: name, cache: cache))
    }
    manifest.attachments.append(attachment)
  }

  /// `isShort` says that a wanted sound or film could not be had.
  fileprivate mutating func status(isWanted: Bool, isShort: Bool) -> Manifest.Status {
    guard isWanted else { return .complete }
    guard !manifest.attachments.isEmpty else {
      manifest.problems.append(
        Problem(.download, .noPicture, "no candidate gave a picture", severity: .warning))
      return .textOnly
    }
    return !isShort && manifest.attachments.allSatisfy { $0.rung == .full } ? .complete : .degraded
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
