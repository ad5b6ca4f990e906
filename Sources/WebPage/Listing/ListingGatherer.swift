internal import Media

/// Listens to a feed or sitemap and hands on the addresses in it.
final class ListingGatherer: XMLListener {
  private(set) var kind: Listing.Kind?
  private(set) var count = 0
  private let entry: (ListingEntry) -> Void

  private var depth = 0
  private var bases = BaseReferences()
  private var item: FeedItem?
  private var itemDepth = 0
  /// Inside this depth nothing counts: what an entry was taken from.
  private var foreignDepth: Int?
  private var collected: String?
  private static let longestText = PageFacts.longestReference + 64

  init(_ entry: @escaping (ListingEntry) -> Void) {
    self.entry = entry
  }

  var isFull: Bool { count >= Listing.mostEntries }
  var isDone: Bool { isFull || (kind == nil && depth > 0) }
  var wantsText: Bool { collected != nil }

  func text(_ text: String) {
    guard let size = collected?.utf8.count, size < Self.longestText else { return }
    collected?.append(text)
  }

  func startElement(_ name: XMLName, _ attributes: XMLAttributes) {
    depth += 1
    if depth == 1 { kind = Self.kind(of: name) }
    bases.enter(depth, attributes.value("base", in: XMLName.xml))
    guard kind != nil, foreignDepth == nil else { return }
    if kind == .feed {
      startInFeed(name, attributes)
    } else if name.local == "loc" {
      collected = ""
    }
  }

  func endElement(_ name: XMLName) {
    let text = collected?.trimmed
    switch kind {
    case .feed: endInFeed(name, text)
    case .sitemap, .sitemapIndex: if name.local == "loc", let text { endLocation(name, text) }
    case nil: break
    }
    if foreignDepth == depth { foreignDepth = nil }
    bases.leave(depth)
    depth -= 1
  }

  private static func kind(of root: XMLName) -> Listing.Kind? {
    switch root.local {
    case "rss", "RDF", "feed": .feed
    case "urlset": .sitemap
    case "sitemapindex": .sitemapIndex
    default: nil
    }
  }

  private func startInFeed(_ name: XMLName, _ attributes: XMLAttributes) {
    let isItem = name.local == "item" || name.local == "entry"
    if isItem, item == nil {
      item = FeedItem(about: attributes.value("about", in: XMLName.rdf))
      itemDepth = depth
    } else if name.local == "source", name.isAtom {
      foreignDepth = depth
    } else if name.isPodcast, name.local == "image" {
      // A channel's cover is that of its episodes.
      if let reference = attributes.value("href") { note(.picture, reference) }
    } else if item != nil {
      startInItem(name, attributes)
    }
  }

  private func startInItem(_ name: XMLName, _ attributes: XMLAttributes) {
    if let reference = name.picture(attributes) {
      item?.addPicture(bases.resolve(reference))
    } else if name.local == "link", depth == itemDepth + 1 {
      guard name.isAtom || attributes.value("href") != nil else { return collected = "" }
      readLink(attributes)
    } else if name.local == "guid", depth == itemDepth + 1 {
      item?.guidIsAddress = attributes.value("isPermaLink") != "false"
      collected = ""
    }
  }

  /// Atom's links, by what they are for (RFC 4287 §4.2.7).
  private func readLink(_ attributes: XMLAttributes) {
    guard let reference = attributes.value("href") else { return }
    let type = attributes.value("type")?.lowercased()
    switch attributes.value("rel")?.lowercased() ?? "alternate" {
    case "alternate" where type.map { $0.contains("html") } ?? true:
      item?.setPage(bases.resolve(reference))
    case "enclosure" where type.map { $0.hasPrefix("image/") } ?? true:
      item?.addPicture(bases.resolve(reference))
    default: break
    }
  }

  private func endInFeed(_ name: XMLName, _ text: String?) {
    guard item != nil, foreignDepth == nil else { return }
    if depth == itemDepth {
      if let page = item?.page { emit(.page, page) }
      for picture in item?.pictures ?? [] { emit(.picture, picture) }
      item = nil
    } else if let text {
      if !text.isEmpty, name.local == "link" { item?.setPage(bases.resolve(text)) }
      if !text.isEmpty, name.local == "guid" { item?.guid = text }
    }
    collected = nil
  }

  private func endLocation(_ name: XMLName, _ text: String) {
    collected = nil
    guard foreignDepth == nil, !text.isEmpty else { return }
    if name.isPictureOfPage {
      note(.picture, text)
    } else if !name.isForeign {
      note(kind == .sitemapIndex ? .listing : .page, text)
    }
  }

  private func note(_ kind: ListingEntry.Kind, _ reference: String) {
    emit(kind, bases.resolve(reference))
  }

  private func emit(_ kind: ListingEntry.Kind, _ reference: String) {
    let entry = ListingEntry(kind, reference)
    guard !isFull, entry.line != nil else { return }
    count += 1
    self.entry(entry)
  }
}

/// What one item of a feed names.
private struct FeedItem {
  private(set) var pictures: [String] = []
  private var link: String?
  private let about: String?
  var guid: String?
  var guidIsAddress = true

  /// Pictures of one item.
  private static let mostPictures = 16

  init(about: String?) {
    self.about = about
  }

  /// The first link counts; an identifier stands in for a missing one.
  var page: String? {
    if let link { return link }
    let stand = (guidIsAddress ? guid : nil) ?? about
    return stand.flatMap { $0.lowercased().hasPrefix("http") ? $0 : nil }
  }

  mutating func setPage(_ reference: String) {
    link = link ?? reference
  }

  mutating func addPicture(_ reference: String) {
    guard pictures.count < Self.mostPictures, !pictures.contains(reference) else { return }
    pictures.append(reference)
  }
}

/// What `xml:base` says of the elements that are open.
private struct BaseReferences {
  private var stack: [(depth: Int, base: String)] = []

  mutating func enter(_ depth: Int, _ base: String?) {
    guard let base, base.utf8.count <= PageFacts.longestReference else { return }
    stack.append((depth, resolve(base)))
  }

  mutating func leave(_ depth: Int) {
    if stack.last?.depth == depth { stack.removeLast() }
  }

  func resolve(_ reference: String) -> String {
    guard let base = stack.last?.base else { return reference }
    return XMLStream.resolve(reference, against: base)
  }
}
