/// What a page reader is told beside the page's bytes.
package struct PageRequest: Sendable, Hashable {
  /// What the bytes are taken for.
  package enum Form: UInt8, Sendable, Hashable {
    /// HTML; the facts are in the reply.
    case page = 1
    /// A feed, a sitemap or an index of sitemaps, in gzip or not; its entries go to the output.
    case listing
  }

  package var form: Form
  /// The answer's Content-Type field, whose charset goes before the page's own.
  package var contentType: String?

  package init(_ form: Form = .page, contentType: String? = nil) {
    self.form = form
    self.contentType = contentType
  }
}
