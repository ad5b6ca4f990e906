internal import Media

/// Judges the first bytes of a download: what is neither sound nor film is not downloaded further.
enum MediaSniffer {
  static func judge(_ prefix: [UInt8], contentType: String?) -> Problem? {
    refusal(of: MediaFormat.sniff(prefix), contentType: contentType)
  }

  /// Why a format is not attached as sound or film; nil where it may be.
  static func refusal(of format: MediaFormat, contentType: String? = nil) -> Problem? {
    guard format.kind != .audio, format.kind != .video else { return nil }
    let claim = contentType.map { ", sent as \($0)" } ?? ""
    let name = format == .unknown ? "bytes of no known format" : format.rawValue
    return Problem(
      .download, format.kind == nil ? .notMedia : .unsupportedFormat,
      "\(name)\(claim), not sound or film")
  }
}
