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
  /// Nil where text alone is shown for a picture that cannot be had.
  var placeholder: Placeholder?

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
    /// What its page named.
    package var sources = JobSources()
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
    let reading = page.map { PageReading($0, pages: pages, payload: request.payload) }
    // Sound and film come before what a page may have.
    let isPageLater = !request.payload.media.isEmpty
    var result = await attach.run(
      candidates, profiles: request.profiles, deadline: deadline,
      othersWait: isPageLater && page != nil, more: isPageLater ? nil : reading?.source)
    let media = await media.run(
      request.payload, profiles: request.profiles, besidePicture: !result.isEmpty,
      deadline: deadline)
    if isPageLater, result.picture == nil, media.attachments.isEmpty, !deadline.hasPassed {
      result.append(
        await attach.run(
          [], profiles: request.profiles, deadline: deadline, more: reading?.source))
    }
    if let reading { draft.fill(from: reading, payload: request.payload) }
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
    // Whichever of a page's candidates works is what was wanted.
    let isShort = media.isShort || result.lacksFile && request.payload.namesMedia
    draft.manifest.status = draft.status(isWanted: isWanted, isShort: isShort)
    if isWanted, draft.manifest.status == .textOnly,
      let found = await placeholder?.attachment(request.profiles, deadline: deadline)
    {
      draft.add(found, cache: cache, publicObjects)
      draft.manifest.status = .degraded
    }
    draft.manifest.timing.note(request, started: started, result)
    return draft
  }
}

extension Pipeline {
  /// The text of a job for which there is no time for more than a placeholder that is at hand.
  func lateDraft(of request: Request) -> Draft {
    var draft = Draft(lateTextOf: request)
    guard draft.manifest.status == .textOnly,
      let found = placeholder?.attachment(atOnceFor: request.profiles)
    else { return draft }
    draft.add(found, cache: cache, publicObjects)
    draft.manifest.status = .degraded
    return draft
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

  /// What stands for all text where there is none: phones show no notification without any. The host
  /// of the first picture, sound or film; of a `data:` URL its description, else the job's id.
  fileprivate var shownPicture: String {
    let named = [payload.imageURL].compactMap { $0 } + payload.imageURLs + payload.media
    for text in named {
      guard case .web(let address) = ResolveStage.address(text, page: pageAddress) else { continue }
      return address.host
    }
    let described = payload.altText.flatMap {
      NotificationText.clean($0, limit: NotificationText.Limit.title)
    }
    return described ?? identifier.text
  }
}

extension Problem {
  fileprivate static let unfetchablePage = Problem(
    .page, .unsupportedURL, "url is no http or https address that may be fetched",
    severity: .warning)
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
    guard request.payload.title == nil else { return }
    let hasText = request.payload.mediaCompany != nil || request.payload.body != nil
    manifest.notification.title = request.shownHost ?? (hasText ? nil : request.shownPicture)
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
  fileprivate mutating func fill(from reading: PageReading, payload: Payload) {
    guard let (page, time) = reading.outcome else { return }
    manifest.timing.milliseconds.page = Int(clamping: time.wholeMilliseconds)
    manifest.problems += page?.problems ?? []
    sources.add(page?.candidates ?? [])
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
