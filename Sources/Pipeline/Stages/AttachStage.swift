internal import Download
package import Media
internal import SharedCache

/// What the candidates gave: at most one picture, and what went wrong on the way to it.
package struct AttachedPicture: Sendable {
  /// With the contents of its renditions, in their order.
  package var picture: (attachment: Manifest.Attachment, contents: [RenderedPicture.Content])?
  /// Whether the picture is the poster or cover of a film or sound whose file the rules allow, and
  /// that could not be had.
  var lacksFile = false
  /// An embedded thumbnail, for when no later candidate gives a better picture.
  var lastResort: (attachment: Manifest.Attachment, contents: [RenderedPicture.Content])?
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

  /// How much of a file is fetched; nil for all.
  func needs(of profiles: [RenditionProfile]) -> PictureNeeds? {
    render.recipe.stopsEarly ? PictureNeeds(profiles) : nil
  }

  /// What one candidate gives, its download ended by `download`.
  func attempt(
    _ candidate: PictureCandidate, profiles: [RenditionProfile], download: Deadline,
    deadline: Deadline, race: RaceOutcome
  ) async -> AttachedPicture {
    var result = AttachedPicture()
    do throws(Problem) {
      let picture = try await attach(
        candidate, profiles: profiles, download: download, deadline: deadline, race, &result)
      if picture.0.rung == .embedded {
        result.lastResort = picture
      } else {
        result.picture = picture
      }
    } catch {
      result.problems.append(error)
    }
    return result
  }

  private func attach(
    _ candidate: PictureCandidate, profiles: [RenditionProfile], download: Deadline,
    deadline: Deadline, _ race: RaceOutcome, _ result: inout AttachedPicture
  ) async throws(Problem) -> (Manifest.Attachment, [RenderedPicture.Content]) {
    var isForced = false
    while true {
      let start = ContinuousClock.now
      let fetched: FetchedPicture
      do throws(Problem) {
        fetched = try await obtain(
          candidate, needs: needs(of: profiles), deadline: download, ignoringCache: isForced, race,
          admission: render.admission(profiles, by: deadline, in: race))
      } catch {
        result.downloadTime += start.duration(to: .now)
        throw error
      }
      let fetchEnd = ContinuousClock.now
      Log.current?.debug("fetched", fetched.logFields)
      result.downloadTime += start.duration(to: fetchEnd)
      guard !Task.isCancelled else {
        throw Problem(.decode, .deadlineExceeded, "no longer wanted", url: candidate.shown)
      }
      do throws(RenderFault) {
        let made = try await madeOrReplaced(
          of: fetched, candidate, profiles: profiles, deadline: deadline)
        result.decodeTime += fetchEnd.duration(to: .now)
        result.problems += fetched.problems + fetched.explaining(made.problems)
        result.lacksFile = made.lacksFile
        return (made.attachment, made.contents)
      } catch .originalMissing where !isForced {
        isForced = true
      } catch {
        result.decodeTime += fetchEnd.duration(to: .now)
        throw fetched.shortfall ?? error.problem(of: candidate)
      }
    }
  }

  /// A picture's renditions; of a film its poster, of sound its cover, and the file where the rules
  /// allow it.
  private func made(
    of fetched: FetchedPicture, _ candidate: PictureCandidate, profiles: [RenditionProfile],
    deadline: Deadline
  ) async throws(RenderFault) -> MadePicture {
    guard fetched.format.kind == .image else {
      if let shortfall = fetched.shortfall { throw .problem(shortfall) }
      let media = try await render.runMedia(
        fetched, profiles: profiles, rules: rules,
        identifier: Manifest.Attachment.pictureIdentifier, deadline: deadline)
      try candidate.checkSize(media.pictures.first?.size)
      var (attachment, contents) = try media.attachment(
        of: fetched, identifier: Manifest.Attachment.pictureIdentifier)
      if attachment.rung != .stale { attachment.rung = candidate.rung }
      attachment.altText = candidate.altText
      return MadePicture(
        attachment: attachment, contents: contents, problems: media.problems,
        lacksFile: media.lacksFile(by: rules))
    }
    let rendered = try await render.run(fetched, profiles: profiles, deadline: deadline)
    // The rest was missed after all.
    if fetched.isBeginning, rendered.extent > .hurried { throw .originalMissing }
    try candidate.checkSize(rendered.facts.displayedSize)
    return MadePicture(
      attachment: Manifest.Attachment(candidate, fetched, rendered),
      contents: rendered.renditions.map(\.content), problems: rendered.problems)
  }

  /// The same, or the stale copy that the bytes have replaced where they give no whole picture.
  private func madeOrReplaced(
    of fetched: FetchedPicture, _ candidate: PictureCandidate, profiles: [RenditionProfile],
    deadline: Deadline
  ) async throws(RenderFault) -> MadePicture {
    guard let replaced = fetched.replaced else {
      return try await made(of: fetched, candidate, profiles: profiles, deadline: deadline)
    }
    let failure: RenderFault
    do throws(RenderFault) {
      let result = try await made(
        of: fetched, candidate, profiles: profiles,
        deadline: deadline.reserving(min(Self.recallTime, deadline.remaining / 4)))
      guard result.attachment.rung.isWorse(than: .stale),
        let problem = result.problems.first(where: { $0.severity != .note })
      else {
        return result
      }
      return await stale(replaced, candidate, profiles, deadline, because: problem) ?? result
    } catch {
      failure = error
    }
    guard case .problem(let problem) = failure,
      let result = await stale(replaced, candidate, profiles, deadline, because: problem)
    else { throw failure }
    return result
  }

  /// What remains for looking up a copy's renditions after a decode that used up its time.
  private static let recallTime = Duration.milliseconds(100)

  private func stale(
    _ record: SourceRecord, _ candidate: PictureCandidate, _ profiles: [RenditionProfile],
    _ deadline: Deadline, because problem: Problem
  ) async -> MadePicture? {
    guard let copy = record.standIn(for: problem.about(record.key)),
      var result = try? await made(of: copy, candidate, profiles: profiles, deadline: deadline),
      !result.attachment.rung.isWorse(than: candidate.rung == .full ? .stale : candidate.rung)
    else { return nil }
    result.problems = copy.problems + result.problems
    return result
  }

  private func obtain(
    _ candidate: PictureCandidate, needs: PictureNeeds?, deadline: Deadline, ignoringCache: Bool,
    _ race: RaceOutcome, admission: DecodeAdmission
  ) async throws(Problem) -> FetchedPicture {
    switch candidate.address {
    case .web(let address):
      return try await fetch.admitted(by: admission).run(
        address, deadline: deadline, ignoringCache: ignoringCache, acceptsPartial: true,
        needs: ignoringCache ? nil : needs, race: race)
    case .inline(let text):
      return try FetchedPicture(dataURL: text, limit: fetch.byteLimit)
    }
  }
}

/// What a candidate's bytes gave.
private struct MadePicture {
  var attachment: Manifest.Attachment
  /// Of the attachment's renditions, in their order.
  var contents: [RenderedPicture.Content]
  var problems: [Problem]
  var lacksFile = false
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

extension FetchedPicture {
  /// Where it came from, as the log tells it.
  var logFields: JSONObject {
    [
      "cache": .string(cacheUse.rawValue), "format": .string(format.rawValue),
      "bytes": JSONValue(byteCount),
      "url": JSONValue(WebAddress(url)?.redacted),
    ]
  }

  /// What to tell of a picture that was made: of a download that fell short that it did, rather than
  /// that its data end early.
  fileprivate func explaining(_ problems: [Problem]) -> [Problem] {
    guard let shortfall else { return problems }
    return [shortfall.asWarning] + problems.filter { $0.code != .corrupt }
  }
}

extension AttachedPicture {
  /// Whether there is anything to show.
  var isEmpty: Bool { picture == nil && lastResort == nil }

  /// Takes the last resort where there is nothing better.
  mutating func settle() {
    let isBetter = picture.map { $0.attachment.rung.isWorse(than: .embedded) } ?? true
    if let lastResort, isBetter {
      picture = lastResort
      lacksFile = false
    }
  }

  /// Adds what a later candidate or search gave.
  mutating func append(_ later: AttachedPicture) {
    if picture == nil {
      picture = later.picture
      lacksFile = later.lacksFile
    }
    lastResort = lastResort ?? later.lastResort
    problems += later.problems
    downloadTime += later.downloadTime
    decodeTime += later.decodeTime
  }
}

extension Manifest.Rung {
  func isWorse(than other: Manifest.Rung) -> Bool {
    let order = Self.allCases
    return (order.firstIndex(of: self) ?? 0) > (order.firstIndex(of: other) ?? 0)
  }
}

extension Deadline {
  /// What the only download may use: a tenth of the time left, between 250 ms and 2 s, remains for
  /// decoding what has come.
  var reservingForDecoding: Deadline {
    let remaining = remaining
    return reserving(min(max(remaining / 10, .milliseconds(250)), .seconds(2), remaining / 2))
  }

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
