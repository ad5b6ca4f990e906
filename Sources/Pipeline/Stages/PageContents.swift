package import Download
package import Media

/// What reading a page gave a job.
package struct PageContents: Sendable {
  /// Nil where the page has none.
  package var title: String?
  /// The host where the page names nobody; nil where it could not be read.
  package var publisher: String?
  /// Best first: everything in full but for touch icons.
  package var candidates: [PictureCandidate] = []
  package var problems: [Problem] = []

  /// The least size of a page's picture (contract §9).
  static let leastSize = PixelSize(width: 64, height: 64)

  /// A page that could not be read.
  init(unreadable problem: Problem) {
    problems = [problem]
  }

  /// An address that led to a picture in place of a page.
  init(picture address: WebAddress) {
    publisher = address.host
    candidates = [PictureCandidate(address: .web(address), rung: .full)]
  }

  /// What a page said, its references resolved against `<base href>` and where it came from.
  package init(_ facts: PageFacts, from address: WebAddress) {
    title = facts.title.flatMap { NotificationText.clean($0, limit: NotificationText.Limit.title) }
    publisher =
      facts.publisher.flatMap {
        NotificationText.clean($0, limit: NotificationText.Limit.subtitle)
      } ?? address.host
    let base = facts.baseReference.flatMap { address.resolve($0) } ?? address
    var unusable = 0
    for picture in facts.pictures {
      guard let candidate = PictureCandidate(picture, base: base) else {
        unusable += 1
        continue
      }
      if !candidates.contains(where: { $0.address == candidate.address }) {
        candidates.append(candidate)
      }
    }
    if unusable > 0 {
      problems.append(
        Problem(
          .page, .unsupportedURL,
          "\(unusable) of the page's pictures have no http or https address",
          severity: .note, url: address.redacted))
    }
  }
}

extension PictureCandidate {
  fileprivate init?(_ picture: PageFacts.Picture, base: WebAddress) {
    guard let address = base.resolve(picture.reference) else { return nil }
    let isIcon = picture.place == .touchIcon
    self.init(
      address: .web(address), rung: isIcon ? .icon : .full,
      altText: picture.altText.flatMap {
        NotificationText.clean($0, limit: NotificationText.Limit.altText)
      },
      minimumSize: isIcon ? nil : PageContents.leastSize)
  }
}
