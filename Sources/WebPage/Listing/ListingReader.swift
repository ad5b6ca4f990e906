package import Media

/// Reads what feeds (RSS 0.9x, 1.0, 2.0, Atom) and sitemaps name: pages, pictures, other sitemaps.
package enum ListingReader {
  /// Hands over the entries in their order; never fails for what the bytes hold.
  package static func read(
    _ request: PageRequest, _ bytes: RawSpan, entry: @escaping (ListingEntry) -> Void
  ) -> PageReply {
    let gatherer = ListingGatherer(entry)
    guard let stream = XMLStream(gatherer) else { return none(bytes.byteCount) }
    var text = ListingText()
    text.read(bytes, contentType: request.contentType) { stream.push($0) }
    stream.finish()
    guard let kind = gatherer.kind else { return none(bytes.byteCount) }
    return PageReply(
      listing: Listing(
        kind, entries: gatherer.count, isCut: text.isCut || stream.isBroken || gatherer.isFull))
  }

  private static func none(_ count: Int) -> PageReply {
    PageReply(problems: [
      Problem(.page, .notMedia, "\(count) bytes that are neither a feed nor a sitemap")
    ])
  }
}
