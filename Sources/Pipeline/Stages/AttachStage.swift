internal import Download
package import Media

/// What the candidates gave: at most one picture, and what went wrong on the way to it.
package struct AttachedPicture: Sendable {
  /// With the contents of its renditions, in their order.
  package var picture: (attachment: Manifest.Attachment, contents: [RenderedPicture.Content])?
  package var problems: [Problem] = []
  package var downloadTime = Duration.zero
  package var decodeTime = Duration.zero
}

/// From candidates to one attachment: the first that can be fetched and rendered in time.
package struct AttachStage: Sendable {
  let fetch: FetchStage
  let render: RenderStage
  /// For a candidate that proves to be sound or film.
  var rules = AttachmentRules.apple

  /// What one download may use of the time left while alternates wait, in per cent (contract §6).
  static let shareOfTime = 60

  package init(fetch: FetchStage, render: RenderStage, rules: AttachmentRules = .apple) {
    self.fetch = fetch
    self.render = render
    self.rules = rules
  }

  /// Tries the candidates in order until one gives its renditions, or time is up. `othersWait`
  /// says that more will be looked for when none of them does.
  package func run(
    _ candidates: [PictureCandidate], profiles: [RenditionProfile], deadline: Deadline,
    othersWait: Bool = false
  ) async -> AttachedPicture {
    var result = AttachedPicture()
    for (index, candidate) in candidates.enumerated() {
      guard !deadline.hasPassed else {
        result.problems.append(
          Problem(.download, .deadlineExceeded, "no time was left for \(candidate.shown)"))
        break
      }
      let isLast = index == candidates.count - 1 && !othersWait
      let ownDeadline = isLast ? deadline : deadline.share(Self.shareOfTime)
      do throws(Problem) {
        result.picture = try await attach(
          candidate, profiles: profiles, download: ownDeadline, deadline: deadline, &result)
        return result
      } catch {
        result.problems.append(error)
      }
    }
    return result
  }

  private func attach(
    _ candidate: PictureCandidate, profiles: [RenditionProfile], download: Deadline,
    deadline: Deadline, _ result: inout AttachedPicture
  ) async throws(Problem) -> (Manifest.Attachment, [RenderedPicture.Content]) {
    var isForced = false
    while true {
      let start = ContinuousClock.now
      let fetched = try await fetched(candidate, deadline: download, ignoringCache: isForced)
      let fetchEnd = ContinuousClock.now
      result.downloadTime += start.duration(to: fetchEnd)
      do throws(RenderFault) {
        let (attachment, contents, problems) = try await made(
          of: fetched, candidate, profiles: profiles, deadline: deadline)
        result.decodeTime += fetchEnd.duration(to: .now)
        result.problems += fetched.problems + problems
        return (attachment, contents)
      } catch .originalMissing where !isForced {
        isForced = true
      } catch {
        result.decodeTime += fetchEnd.duration(to: .now)
        throw error.problem(of: candidate)
      }
    }
  }

  /// A picture's renditions; of a film its poster, of sound its cover, and the file where the rules
  /// allow it.
  private func made(
    of fetched: FetchedPicture, _ candidate: PictureCandidate, profiles: [RenditionProfile],
    deadline: Deadline
  ) async throws(RenderFault) -> (
    Manifest.Attachment, [RenderedPicture.Content], problems: [Problem]
  ) {
    guard fetched.format.kind == .image else {
      let media = try await render.runMedia(
        fetched, profiles: profiles, rules: rules,
        identifier: Manifest.Attachment.pictureIdentifier, deadline: deadline)
      try candidate.checkSize(media.pictures.first?.size)
      var (attachment, contents) = try media.attachment(
        of: fetched, identifier: Manifest.Attachment.pictureIdentifier)
      if attachment.rung != .stale { attachment.rung = candidate.rung }
      attachment.altText = candidate.altText
      return (attachment, contents, media.problems)
    }
    let rendered = try await render.run(fetched, profiles: profiles, deadline: deadline)
    try candidate.checkSize(rendered.facts.displayedSize)
    return (
      Manifest.Attachment(candidate, fetched, rendered), rendered.renditions.map(\.content),
      rendered.problems
    )
  }

  private func fetched(
    _ candidate: PictureCandidate, deadline: Deadline, ignoringCache: Bool
  ) async throws(Problem) -> FetchedPicture {
    switch candidate.address {
    case .web(let address):
      return try await fetch.run(address, deadline: deadline, ignoringCache: ignoringCache)
    case .inline(let text):
      return try FetchedPicture(dataURL: text, limit: fetch.byteLimit)
    }
  }
}

extension PictureCandidate {
  /// Refuses a picture that is too small to be meant, and sound without any.
  fileprivate func checkSize(_ size: PixelSize?) throws(RenderFault) {
    guard let minimumSize else { return }
    if let size, size.width >= minimumSize.width, size.height >= minimumSize.height { return }
    let found = size.map { "\($0) pixels" } ?? "sound without a cover"
    throw .problem(
      Problem(
        .page, .noPicture, "\(found), a page's picture has at least \(minimumSize)",
        severity: .warning))
  }

  /// The address as a message shows it.
  var shown: String {
    switch address {
    case .web(let address): address.redacted
    case .inline: "the data: URL"
    }
  }
}

extension AttachedPicture {
  /// Adds what a later search gave.
  mutating func append(_ later: AttachedPicture) {
    picture = later.picture
    problems += later.problems
    downloadTime += later.downloadTime
    decodeTime += later.decodeTime
  }
}

extension Deadline {
  /// When `percent` of the time left will be over.
  func share(_ percent: Int) -> Deadline { .after(remaining * percent / 100) }
}

extension RenderFault {
  fileprivate func problem(of candidate: PictureCandidate) -> Problem {
    switch self {
    case .problem(var problem):
      if case .web(let address) = candidate.address { problem.url = address.redacted }
      return problem
    case .originalMissing:
      return Problem(
        .store, .cacheCorrupt, "the downloaded bytes were gone twice", url: candidate.shown)
    }
  }
}
