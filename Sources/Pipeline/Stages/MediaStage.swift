internal import Download
package import Media
internal import Sandbox

/// What the addresses of sound and film gave, and what went wrong on the way.
package struct AttachedMedia: Sendable {
  /// Each with the contents of its renditions, in their order.
  package var attachments:
    [(attachment: Manifest.Attachment, contents: [RenderedPicture.Content])] =
      []
  package var problems: [Problem] = []
  package var downloadTime = Duration.zero
  package var decodeTime = Duration.zero
  /// Whether a wanted one could not be had at all.
  package var isShort = false
}

/// From the addresses of sound and film to attachments: the poster or cover, and the file itself where
/// the rules allow it.
package struct MediaStage: Sendable {
  /// For sound and film.
  let fetch: FetchStage
  let render: RenderStage
  let rules: AttachmentRules

  package init(fetch: FetchStage, render: RenderStage, rules: AttachmentRules) {
    self.fetch = fetch
    self.render = render
    self.rules = rules
  }

  /// The attachments that have room beside the picture; those that cannot be had give a problem each.
  package func run(
    _ payload: Payload, profiles: [RenditionProfile], besidePicture: Bool, deadline: Deadline
  ) async -> AttachedMedia {
    var result = AttachedMedia()
    let page = payload.pageAddress.flatMap { WebAddress($0) }
    let room = AttachmentRules.maxAttachments - (besidePicture ? 1 : 0)
    if payload.media.count > room {
      result.problems.append(
        Problem(
          .intake, .tooManyAttachments,
          "\(payload.media.count + (besidePicture ? 1 : 0)) attachments, the limit is "
            + "\(AttachmentRules.maxAttachments)", severity: .warning))
    }
    for (index, text) in payload.media.prefix(room).enumerated() {
      do throws(Problem) {
        result.attachments.append(
          try await attachment(
            text, page: page, identifier: "media\(index + 1)", profiles: profiles,
            deadline: deadline, &result))
      } catch {
        result.isShort = true
        result.problems.append(error)
      }
    }
    return result
  }

  private func attachment(
    _ text: String, page: WebAddress?, identifier: String, profiles: [RenditionProfile],
    deadline: Deadline, _ result: inout AttachedMedia
  ) async throws(Problem) -> (Manifest.Attachment, [RenderedPicture.Content]) {
    guard case .web(let address) = ResolveStage.address(text, page: page) else {
      throw Problem(.download, .unsupportedURL, "media: no http or https address")
    }
    guard !deadline.hasPassed else {
      throw Problem(.download, .deadlineExceeded, "no time was left", url: address.redacted)
    }
    let start = ContinuousClock.now
    let fetched = try await fetch.run(address, deadline: deadline)
    let fetchEnd = ContinuousClock.now
    result.downloadTime += start.duration(to: fetchEnd)
    // A copy in the cache may have come as a picture.
    if var refusal = MediaSniffer.refusal(of: fetched.format) {
      refusal.url = address.redacted
      throw refusal
    }
    do throws(RenderFault) {
      let rendered = try await render.runMedia(
        fetched, profiles: profiles, rules: rules, identifier: identifier, deadline: deadline)
      result.decodeTime += fetchEnd.duration(to: .now)
      result.problems += fetched.problems + rendered.problems
      return try rendered.attachment(of: fetched, identifier: identifier)
    } catch {
      result.decodeTime += fetchEnd.duration(to: .now)
      switch error {
      case .problem(var problem):
        problem.url = problem.url ?? address.redacted
        throw problem
      case .originalMissing:
        throw Problem(
          .store, .cacheCorrupt, "the file went from the cache", url: address.redacted)
      }
    }
  }
}
