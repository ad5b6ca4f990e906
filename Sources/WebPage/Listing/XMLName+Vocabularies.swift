/// The vocabularies that feeds and sitemaps mix. Spellings of their names vary in the wild, and
/// where a document forgot to declare a prefix the prefix stands for its name.
extension XMLName {
  static let xml = "http://www.w3.org/XML/1998/namespace"
  static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  static let enclosures = "http://purl.oclc.org/net/rss_2.0/enc#"

  var isAtom: Bool { space == "http://www.w3.org/2005/Atom" || space == "atom" }
  private var isMedia: Bool { space.contains("search.yahoo.com/mrss") || space == "media" }
  var isPodcast: Bool {
    space.lowercased().contains("itunes.com/dtds/podcast") || space == "itunes"
  }

  /// Of Google's extension for pictures in sitemaps.
  var isPictureOfPage: Bool { space.contains("sitemap-image") || space == "image" }
  /// Of other extensions: videos, news.
  var isForeign: Bool {
    !space.isEmpty && !space.contains("sitemap/0.") && !space.contains("sitemaps.org")
  }

  /// The picture that an element of an item names; nil where it is something else.
  func picture(_ attributes: XMLAttributes) -> String? {
    switch local {
    case "enclosure" where space == Self.enclosures:
      Self.isPicture(attributes.value("type", in: Self.enclosures))
        ? attributes.value("resource", in: Self.rdf) : nil
    case "enclosure": Self.isPicture(attributes.value("type")) ? attributes.value("url") : nil
    case "thumbnail" where isMedia: attributes.value("url")
    case "content" where isMedia:
      Self.isMediaPicture(attributes) ? attributes.value("url") : nil
    default: nil
    }
  }

  /// What says nothing may be one: its bytes will tell.
  private static func isPicture(_ type: String?) -> Bool {
    type.map { $0.lowercased().hasPrefix("image/") } ?? true
  }

  private static func isMediaPicture(_ attributes: XMLAttributes) -> Bool {
    if let medium = attributes.value("medium") { return medium.lowercased() == "image" }
    return isPicture(attributes.value("type"))
  }
}
