internal import Media

/// Judges the first bytes of a download: what no picture can be made of is not downloaded further. A
/// film has its poster, sound may have a cover.
enum PictureSniffer {
  static func judge(_ prefix: [UInt8], contentType: String?) -> Problem? {
    refusal(of: MediaFormat.sniff(prefix), contentType: contentType)
  }

  /// Why a format cannot become a picture; nil where it can.
  static func refusal(of format: MediaFormat, contentType: String? = nil) -> Problem? {
    if PictureChildren.family(of: format) != nil { return nil }
    let claim = contentType.map { ", sent as \($0)" } ?? ""
    guard format.kind != nil else {
      let name = format == .unknown ? "bytes of no known format" : format.rawValue
      return Problem(.download, .notMedia, "\(name)\(claim)")
    }
    return Problem(
      .download, .unsupportedFormat, "\(format.rawValue) is not made into pictures\(claim)")
  }
}
