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
  /// The longest of them: they come side by side.
  package var downloadTime = Duration.zero
  package var decodeTime = Duration.zero
  /// Whether a wanted one could not be had, or not the file that the rules allow.
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

  /// The attachments that have room beside the picture, made side by side; those that cannot be had
  /// give a problem each.
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
    let items = payload.media.prefix(room).enumerated().map { index, text in
      MediaItem(text: text, page: page, identifier: "media\(index + 1)", profiles: profiles)
    }
    await inOrder(items, width: AttachmentRules.maxAttachments) { item in
      await attach(item, deadline: deadline)
    } deliver: { one in
      result.append(one)
    }
    return result
  }

  private func attach(_ item: MediaItem, deadline: Deadline) async -> AttachedMedia {
    var result = AttachedMedia()
    do throws(Problem) {
      result.attachments = [try await attachment(item, deadline: deadline, &result)]
    } catch {
      result.isShort = true
      result.problems.append(error)
    }
    return result
  }

  /// The attachment of one address, for who has no payload.
  func run(
    _ address: WebAddress, profiles: [RenditionProfile], deadline: Deadline
  ) async throws(Problem) -> Manifest.Attachment {
    var result = AttachedMedia()
    let item = MediaItem(
      text: address.description, page: nil, identifier: "media", profiles: profiles)
    return try await attachment(item, deadline: deadline, &result).0
  }

  private func attachment(
    _ item: MediaItem, deadline: Deadline, _ result: inout AttachedMedia
  ) async throws(Problem) -> (Manifest.Attachment, [RenderedPicture.Content]) {
    guard case .web(let address) = ResolveStage.address(item.text, page: item.page) else {
      throw Problem(.download, .unsupportedURL, "media: no http or https address")
    }
    var isForced = false
    while true {
      guard !deadline.hasPassed else {
        throw Problem(.download, .deadlineExceeded, "no time was left", url: address.redacted)
      }
      let start = ContinuousClock.now
      let fetched: FetchedPicture
      do throws(Problem) {
        fetched = try await fetch.run(address, deadline: deadline, ignoringCache: isForced)
      } catch {
        result.downloadTime += start.duration(to: .now)
        throw error
      }
      let fetchEnd = ContinuousClock.now
      Log.current?.debug("fetched", fetched.logFields)
      result.downloadTime += start.duration(to: fetchEnd)
      do throws(RenderFault) {
        let rendered = try await render.runMedia(
          fetched, profiles: item.profiles, rules: rules, identifier: item.identifier,
          deadline: deadline)
        result.decodeTime += fetchEnd.duration(to: .now)
        result.problems += fetched.problems
        let attachment = try rendered.attachment(of: fetched, identifier: item.identifier)
        result.problems += rendered.problems
        result.isShort = rendered.lacksFile(by: rules)
        return attachment
      } catch .originalMissing where !isForced {
        isForced = true
      } catch {
        result.decodeTime += fetchEnd.duration(to: .now)
        throw error.problem(of: address)
      }
    }
  }
}

/// One address of sound or film, as a payload gives it.
private struct MediaItem: Sendable {
  let text: String
  let page: WebAddress?
  let identifier: String
  let profiles: [RenditionProfile]
}

extension AttachedMedia {
  fileprivate mutating func append(_ other: AttachedMedia) {
    attachments += other.attachments
    problems += other.problems
    downloadTime = max(downloadTime, other.downloadTime)
    decodeTime = max(decodeTime, other.decodeTime)
    isShort = isShort || other.isShort
  }
}

extension RenderFault {
  fileprivate func problem(of address: WebAddress) -> Problem {
    switch self {
    case .problem(var problem):
      problem.url = problem.url ?? address.redacted
      return problem
    case .originalMissing:
      return Problem(.store, .cacheCorrupt, "the file went from the cache", url: address.redacted)
    }
  }
}
