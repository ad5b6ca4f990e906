internal import Media

/// Listens to a page and keeps what it says of itself.
final class FactGatherer: MarkupListener {
  private enum Collecting { case nothing, title, linkedData }

  private var surroundings = Surroundings()
  private var collecting = Collecting.nothing
  private var collected = ""
  private var base: String?
  private var title: String?
  private var meta = MetaFacts()
  private var linkedData = LinkedData()
  private var images = ImageElements()
  private var pictureSource: SourceSet.Candidate?

  var wantsText: Bool { collecting != .nothing }

  func text(_ text: String) {
    collected += text
  }

  func startElement(_ name: String, _ attributes: MarkupAttributes) {
    surroundings.enter(Surroundings.Kind(name, attributes))
    guard !surroundings.has(.inert) else { return }
    switch name {
    case "title" where title == nil: collect(.title)
    case "script" where Self.isLinkedData(attributes["type"]): collect(.linkedData)
    case "base": if base == nil { base = attributes["href"] }
    case "meta":
      meta.readMeta(attributes)
      readItem(attributes, "content")
    case "link":
      meta.readLink(attributes)
      readItem(attributes, "href")
    case "picture": pictureSource = nil
    case "source": readSource(attributes)
    case "img" where !images.isFull: readImage(attributes)
    default: break
    }
  }

  func endElement(_ name: String) {
    surroundings.leave()
    switch (name, collecting) {
    case ("title", .title):
      let text = collected.trimmed
      if !text.isEmpty { title = text }
      collect(.nothing)
    case ("script", .linkedData):
      linkedData.read(collected)
      collect(.nothing)
    default: break
    }
  }

  private func collect(_ kind: Collecting) {
    collecting = kind
    collected = ""
  }

  private static func isLinkedData(_ type: String?) -> Bool {
    type?.lowercased().hasPrefix("application/ld+json") ?? false
  }

  /// `itemprop=image` by itself, or the address inside the item that it describes.
  private func readItem(_ attributes: MarkupAttributes, _ name: StaticString) {
    guard let property = attributes["itemprop"]?.lowercased(), let value = attributes[name] else {
      return
    }
    let isAddress = property == "url" || property == "contenturl"
    switch surroundings.item {
    case nil where property == "image", .imageItem where isAddress: meta.noteItem(value)
    default: break
    }
  }

  private func readSource(_ attributes: MarkupAttributes) {
    guard surroundings.has(.picture), pictureSource == nil else { return }
    let text = attributes["data-srcset"] ?? attributes["srcset"]
    pictureSource = text.flatMap { SourceSet.largest(of: $0) }
  }

  private func readImage(_ attributes: MarkupAttributes) {
    let fallback = surroundings.has(.picture) ? pictureSource : nil
    guard let image = ImageElement(attributes, fallback: fallback) else { return }
    if attributes["itemprop"]?.lowercased() == "image", surroundings.item == nil {
      meta.noteItem(image.reference)
    }
    guard !surroundings.isFrame else { return }
    images.add(
      image, article: surroundings.article,
      isMain: surroundings.has(.main))
  }

  /// Everything, in the order of contract §9.
  var facts: PageFacts {
    let linked = linkedData.pictures.map {
      PageFacts.Picture(.linkedData, $0, altText: meta.altText)
    }
    let elements = images.best.map {
      PageFacts.Picture(.element, $0.reference, altText: $0.altText)
    }
    return PageFacts(
      baseReference: base.flatMap { PlaceholderRules.isUsable($0) ? $0 : nil },
      title: (meta.title ?? title).map(Entities.repaired),
      publisher: (linkedData.publisher ?? meta.siteName ?? meta.applicationName)
        .map(Entities.repaired),
      pictures: Self.bounded(
        meta.sharingPictures + linked + meta.markedPictures + elements + meta.icons))
  }

  /// What one answer may hold, in bytes of text.
  private static let mostBytes = 64 << 10

  private static func bounded(_ pictures: [PageFacts.Picture]) -> [PageFacts.Picture] {
    var bytes = 0
    return pictures.filter { picture in
      let size = picture.reference.utf8.count + min(picture.altText?.utf8.count ?? 0, 2048)
      guard bytes + size <= mostBytes else { return false }
      bytes += size
      return true
    }.map { picture in
      var picture = picture
      picture.altText = picture.altText.map(Entities.repaired)
      return picture
    }
  }
}
