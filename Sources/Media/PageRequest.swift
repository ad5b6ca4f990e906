/// What a page reader is told beside the page's bytes.
package struct PageRequest: Sendable, Hashable {
  /// The answer's Content-Type field, whose charset goes before the page's own.
  package var contentType: String?

  package init(contentType: String? = nil) {
    self.contentType = contentType
  }
}
