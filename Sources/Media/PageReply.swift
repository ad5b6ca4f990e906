/// What a page reader answers.
package struct PageReply: Sendable, Hashable {
  /// Nil when the bytes are no page.
  package var facts: PageFacts?
  /// Nil when the bytes are no feed or sitemap, or were not taken for one.
  package var listing: Listing?
  package var problems: [Problem]

  package init(facts: PageFacts? = nil, listing: Listing? = nil, problems: [Problem] = []) {
    self.facts = facts
    self.listing = listing
    self.problems = problems
  }
}

/// What an HTML page says of itself (contract §9): references as they stand in the page, texts with
/// entities decoded once.
package struct PageFacts: Sendable, Hashable {
  /// One picture that the page names.
  package struct Picture: Sendable, Hashable {
    /// Where a page names pictures, best first.
    package enum Place: UInt8, Sendable, Hashable, CaseIterable {
      case openGraphSecure = 1
      case openGraphURL
      case openGraph
      case twitter
      case linkedData
      /// `itemprop=image` or `link rel=image_src`.
      case marked
      /// An `<img>`.
      case element
      case touchIcon
    }

    package var place: Place
    /// At most `PageFacts.longestReference` bytes.
    package var reference: String
    package var altText: String?

    package init(_ place: Place, _ reference: String, altText: String? = nil) {
      self.place = place
      self.reference = reference
      self.altText = altText
    }
  }

  /// Bytes; a longer reference is none.
  package static let longestReference = 8192

  /// What `<base href>` says; references resolve against it, and it against the page's address.
  package var baseReference: String?
  package var title: String?
  package var publisher: String?
  /// Best first.
  package var pictures: [Picture]

  package init(
    baseReference: String? = nil, title: String? = nil, publisher: String? = nil,
    pictures: [Picture] = []
  ) {
    self.baseReference = baseReference
    self.title = title
    self.publisher = publisher
    self.pictures = pictures
  }
}
