internal import Download
internal import Media
internal import Synchronization

/// A job's page, read when its candidates are needed.
final class PageReading: Sendable {
  private let address: WebAddress
  private let pages: PageStage?
  private let payload: Payload
  private let state = Mutex<(contents: PageContents?, time: Duration)?>(nil)

  init(_ address: WebAddress, pages: PageStage?, payload: Payload) {
    self.address = address
    self.pages = pages
    self.payload = payload
  }

  /// What was read, and in what time; nil where nobody needed it.
  var outcome: (contents: PageContents?, time: Duration)? { state.withLock { $0 } }

  var source: CandidateSource {
    CandidateSource { deadline in await self.candidates(deadline) }
  }

  private func candidates(_ deadline: Deadline) async -> [PictureCandidate] {
    let started = ContinuousClock.now
    let contents = await pages?.run(address, deadline: deadline.share(PageStage.shareOfTime))
    // One that was given up for a picture that came first says nothing.
    guard !Task.isCancelled else { return [] }
    state.withLock { $0 = (contents, started.duration(to: .now)) }
    return (contents?.candidates ?? []).map { candidate in
      var candidate = candidate
      // Alternates where the payload names pictures of its own; its text goes before the page's.
      if payload.namesMedia, candidate.rung == .full { candidate.rung = .alternate }
      candidate.altText = payload.altText ?? candidate.altText
      return candidate
    }
  }
}
