package import Media
package import SharedCache

/// The bytes behind one address, known by their content.
package struct FetchedPicture: Sendable {
  /// Where the bytes can be read.
  package enum Body: Sendable {
    /// An original in the cache; it may be evicted before it is opened.
    case cached
    /// Bytes that are not to be kept beyond the job.
    case held(LocalInput)
  }

  /// As normalised; the scheme alone for a `data:` URL.
  package var url: String
  package var finalURL: String?
  package var content: ContentHash
  package var byteCount: Int
  package var format: MediaFormat
  package var cacheUse: Manifest.Source.CacheUse
  package var body: Body
  /// What kept a fresher copy from being had.
  package var problems: [Problem] = []
  /// As the origin said; for pages, whose character set it may name.
  package var contentType: String?
  /// Whether the copy is no longer fresh, but good while the origin is asked (RFC 5861 §3).
  var isToBeRevalidated = false
  /// Why the bytes are but the beginning of the picture's; nil where they are all.
  package var shortfall: Problem?

  /// Whether the bytes are held only because the cache has no room for them.
  var mayKeepRenditions = false
  /// The copy in the cache before it, for when the new bytes give no whole picture.
  var replaced: SourceRecord?
  /// Whether the bytes are but the beginning of a file, of which the rest would not be seen.
  var isBeginning = false
  /// Whether they lack what more time would have brought, though nobody sees it.
  var isHurried = false

  /// Whether renditions may be stored in the cache.
  package var isStorable: Bool {
    if case .cached = body { true } else { mayKeepRenditions }
  }
}
