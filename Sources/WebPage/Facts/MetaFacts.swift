internal import Media

/// What `<meta>` and `<link>` say; of several with one name the first counts.
struct MetaFacts {
  private var values: [String: String] = [:]
  /// How many `og:image` there were: a text after the second is about another picture.
  private var openGraphPictures = 0
  private var touchIcons: [(reference: String, side: Int)] = []

  private static let names: Set = [
    "og:image:secure_url", "og:image:url", "og:image", "og:image:alt", "twitter:image",
    "twitter:image:src", "twitter:image:alt", "og:title", "og:site_name", "application-name",
  ]
  private static let mostIcons = 32

  /// `property` and `name` are one: sites take the one for the other.
  mutating func readMeta(_ attributes: MarkupAttributes) {
    guard let content = attributes["content"] else { return }
    for key: StaticString in ["property", "name"] {
      guard let name = attributes[key]?.lowercased(), Self.names.contains(name) else { continue }
      note(name, content)
    }
  }

  mutating func readLink(_ attributes: MarkupAttributes) {
    guard let reference = attributes["href"], PlaceholderRules.isUsable(reference) else { return }
    let relations = attributes["rel"]?.lowercased().split(whereSeparator: \.isWhitespace) ?? []
    if relations.contains("image_src") { notePicture("image_src", reference) }
    if relations.contains("apple-touch-icon") || relations.contains("apple-touch-icon-precomposed"),
      touchIcons.count < Self.mostIcons
    {
      touchIcons.append((reference, attributes["sizes"].map(Self.side) ?? 0))
    }
  }

  /// A picture marked `itemprop=image`.
  mutating func noteItem(_ reference: String) {
    notePicture("itemprop", reference)
  }

  private mutating func notePicture(_ name: String, _ reference: String) {
    if values[name] == nil, PlaceholderRules.isUsable(reference) { values[name] = reference }
  }

  private mutating func note(_ name: String, _ content: String) {
    if name == "og:image" { openGraphPictures += 1 }
    if name == "og:image:alt", openGraphPictures > 1 { return }
    if name.contains(":image"), !name.hasSuffix(":alt"), !PlaceholderRules.isUsable(content) {
      return
    }
    if values[name] == nil { values[name] = content }
  }

  /// The larger side of `180x180`; several are possible.
  private static func side(_ sizes: String) -> Int {
    let sides = sizes.lowercased().split(whereSeparator: \.isWhitespace).flatMap {
      $0.split(separator: "x").compactMap { Int($0) }
    }
    return min(sides.max() ?? 0, 100_000)
  }
}

extension MetaFacts {
  var title: String? { values["og:title"] }
  var siteName: String? { values["og:site_name"] }
  var applicationName: String? { values["application-name"] }

  /// The pictures before those of JSON-LD.
  var sharingPictures: [PageFacts.Picture] {
    let openGraphText = values["og:image:alt"] ?? values["twitter:image:alt"]
    let twitterText = values["twitter:image:alt"] ?? values["og:image:alt"]
    return [
      picture(.openGraphSecure, "og:image:secure_url", openGraphText),
      picture(.openGraphURL, "og:image:url", openGraphText),
      picture(.openGraph, "og:image", openGraphText),
      picture(.twitter, "twitter:image", twitterText),
      picture(.twitter, "twitter:image:src", twitterText),
    ].compactMap { $0 }
  }

  /// What describes a picture that has no text of its own.
  var altText: String? { values["og:image:alt"] ?? values["twitter:image:alt"] }

  var markedPictures: [PageFacts.Picture] {
    [picture(.marked, "itemprop", altText), picture(.marked, "image_src", altText)]
      .compactMap { $0 }
  }

  /// The largest first.
  var icons: [PageFacts.Picture] {
    let sorted = touchIcons.enumerated().sorted {
      ($0.element.side, -$0.offset) > ($1.element.side, -$1.offset)
    }
    return sorted.prefix(4).map { PageFacts.Picture(.touchIcon, $0.element.reference) }
  }

  private func picture(
    _ place: PageFacts.Picture.Place, _ name: String, _ altText: String?
  ) -> PageFacts.Picture? {
    values[name].map { PageFacts.Picture(place, $0, altText: altText) }
  }
}
