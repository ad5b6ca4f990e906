/// What a feed or sitemap says of itself; its entries go another way, since there may be many.
package struct Listing: Sendable, Hashable {
  package enum Kind: UInt8, Sendable, Hashable {
    case feed = 1
    case sitemap
    case sitemapIndex
  }

  package var kind: Kind
  /// How many entries were written.
  package var entries: Int
  /// Whether something of it was left out: too long, or broken in the midst.
  package var isCut: Bool

  package init(_ kind: Kind, entries: Int, isCut: Bool = false) {
    self.kind = kind
    self.entries = entries
    self.isCut = isCut
  }

  /// Entries of one listing; the sitemap protocol allows 50,000 addresses, each may have pictures.
  package static let mostEntries = 100_000
  /// Bytes of a listing that are read, gzip undone: what the sitemap protocol allows.
  package static let mostBytes = 52_428_800
}

/// One address that a feed or sitemap names.
package struct ListingEntry: Sendable, Hashable {
  package enum Kind: UInt8, Sendable, Hashable, CaseIterable {
    case picture = 0x63
    case page = 0x70
    case listing = 0x73
  }

  package var kind: Kind
  /// As it stands in the listing, `xml:base` applied.
  package var reference: String

  package init(_ kind: Kind, _ reference: String) {
    self.kind = kind
    self.reference = reference
  }

  /// The entry on a line of its own: a letter, the reference, a line feed. Nil for a reference that
  /// fits on none.
  package var line: [UInt8]? {
    let utf8 = Array(reference.utf8)
    guard !utf8.isEmpty, utf8.count <= PageFacts.longestReference,
      utf8.allSatisfy({ $0 >= 0x20 })
    else { return nil }
    return [kind.rawValue] + utf8 + [0x0A]
  }

  /// Reads what `line` wrote, without its line feed.
  package init?(line: ArraySlice<UInt8>) {
    guard let kind = line.first.flatMap(Kind.init(rawValue:)),
      let reference = String(validating: line.dropFirst(), as: UTF8.self), !reference.isEmpty,
      line.count <= PageFacts.longestReference + 1
    else { return nil }
    self.init(kind, reference)
  }
}
