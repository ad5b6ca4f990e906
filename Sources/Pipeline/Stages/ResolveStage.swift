package import Download
package import Media

/// One address that may give a job its picture, and what it is worth.
package struct PictureCandidate: Sendable, Hashable {
  package enum Address: Sendable, Hashable {
    case web(WebAddress)
    /// A `data:` URL, not read yet.
    case inline(String)
  }

  package var address: Address
  package var rung: Manifest.Rung
  package var altText: String?
  /// What a picture must at least measure as displayed to be one; nil takes any.
  package var minimumSize: PixelSize?
}

/// From a payload to the addresses that may give its picture, best first.
package struct ResolveStage: Sendable {
  package init() {}

  /// The payload's own candidates: `imageURL` in full, then the alternates. Addresses that cannot be
  /// fetched give a problem each.
  package func run(_ payload: Payload) -> (candidates: [PictureCandidate], problems: [Problem]) {
    let page = payload.pageAddress.flatMap { WebAddress($0) }
    var candidates: [PictureCandidate] = []
    var problems: [Problem] = []
    for text in [payload.imageURL].compactMap({ $0 }) + payload.imageURLs {
      guard let address = Self.address(text, page: page) else {
        let port = WebAddress.refusedPort(text.hasPrefix("//") ? "https:\(text)" : text)
        let reason =
          port.map { "port \($0) is refused" }
          ?? "no http, https or data address that may be fetched"
        let message = "\(reason): \(Self.shown(text))"
        problems.append(Problem(.download, .unsupportedURL, message))
        continue
      }
      let first = payload.imageURL ?? payload.imageURLs.first
      let rung: Manifest.Rung = text == first ? .full : .alternate
      let candidate = PictureCandidate(address: address, rung: rung, altText: payload.altText)
      if !candidates.contains(where: { $0.address == address }) { candidates.append(candidate) }
    }
    return (candidates, problems)
  }

  /// What a text means on its page: absolute, protocol-relative, relative, or a `data:` URL.
  static func address(_ text: String, page: WebAddress?) -> PictureCandidate.Address? {
    if DataURL.isOne(text) { return .inline(text) }
    if let page { return page.resolve(text).map { .web($0) } }
    let isProtocolRelative = text.hasPrefix("//")
    return WebAddress(isProtocolRelative ? "https:\(text)" : text).map { .web($0) }
  }

  /// An address as a message may show it: short, without name and password, and without what
  /// follows a question mark.
  private static func shown(_ text: String) -> String {
    let line = text.prefix { $0 != "?" && !$0.isNewline }
    let authority = line.firstRange(of: "//").map { line[$0.upperBound...].prefix { $0 != "/" } }
    guard let at = authority?.lastIndex(of: "@"), let start = authority?.startIndex else {
      return String(line.prefix(120))
    }
    return String((line[..<start] + "…" + line[at...]).prefix(120))
  }
}
