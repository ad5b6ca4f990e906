internal import Media

/// Judges a page by what its first bytes are: what is none is not downloaded further.
enum PageSniffer {
  static func judge(_ format: MediaFormat, contentType: String?) -> Problem? {
    if format == .html || (format == .unknown && claimsPage(contentType)) { return nil }
    let name = format == .unknown ? "bytes of no known format" : format.rawValue
    let claim = contentType.map { ", sent as \($0)" } ?? ""
    return Problem(.page, .notMedia, "no page: \(name)\(claim)")
  }

  /// A page may start with plain text.
  private static func claimsPage(_ contentType: String?) -> Bool {
    let type = contentType?.lowercased() ?? ""
    return type.hasPrefix("text/html") || type.hasPrefix("application/xhtml+xml")
  }
}
