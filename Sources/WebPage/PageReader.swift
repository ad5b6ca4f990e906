package import Media

/// Reads what a page says of itself: the pictures it names, its title, who publishes it.
package enum PageReader {
  /// Bytes of a page that are read; the rest is ignored.
  package static let mostBytes = 2_000_000

  /// Has the libraries load what they cannot load once the file system is denied.
  package static func warmUp() {
    CharsetConverter.loadAll()
    MarkupParser.warmUp()
  }

  /// Reads a page, however broken; never fails for what it holds.
  package static func read(_ request: PageRequest, _ page: RawSpan) -> PageReply {
    let bytes = unsafe page.withUnsafeBytes { unsafe Array($0.prefix(mostBytes)) }
    let text = PageText(bytes, contentType: request.contentType)
    guard text.hasElements else {
      let problem = Problem(.page, .notMedia, "\(page.byteCount) bytes without an element of HTML")
      return PageReply(problems: text.problems + [problem])
    }
    let gatherer = FactGatherer()
    MarkupParser.parse(PageRepairs.bounded(text.utf8).page, for: gatherer)
    return PageReply(facts: gatherer.facts, problems: text.problems)
  }
}
