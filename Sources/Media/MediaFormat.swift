/// A file format, told from bytes alone; raw values are the contract's names.
package enum MediaFormat: String, Sendable, Hashable, CaseIterable {
  case jpeg, png, gif, heic, avif, webp, bmp, tiff, ico, svg, jxl, jp2
  case mp4, mov, m4a, mp3, aac, wav, aiff, flac, ogg, avi, mpeg, webm, mkv
  case html, pdf, zip, unknown
}

extension MediaFormat {
  /// What a person would call such a file; nil for what is no media.
  package var kind: MediaKind? {
    switch self {
    case .jpeg, .png, .gif, .heic, .avif, .webp, .bmp, .tiff, .ico, .svg, .jxl, .jp2: .image
    case .m4a, .mp3, .aac, .wav, .aiff, .flac, .ogg: .audio
    case .mp4, .mov, .avi, .mpeg, .webm, .mkv: .video
    case .html, .pdf, .zip, .unknown: nil
    }
  }

  /// Apple's uniform type identifier; nil where none is declared for the format.
  package var typeIdentifier: String? { description.typeIdentifier }

  /// The registered media type (IANA), or the one in common use.
  package var mimeType: String { description.mimeType }

  /// File name extensions in use, the one we write first.
  package var fileExtensions: [String] { description.extensions }

  private struct Description {
    var typeIdentifier: String?
    var mimeType: String
    var extensions: [String]

    init(_ typeIdentifier: String?, _ mimeType: String, _ extensions: String...) {
      self.typeIdentifier = typeIdentifier
      self.mimeType = mimeType
      self.extensions = extensions
    }
  }

  private var description: Description {
    switch self {
    case .jpeg: Description("public.jpeg", "image/jpeg", "jpg", "jpeg", "jpe", "jfif")
    case .png: Description("public.png", "image/png", "png", "apng")
    case .gif: Description("com.compuserve.gif", "image/gif", "gif")
    case .heic: Description("public.heic", "image/heic", "heic", "heif", "hif", "heics", "heifs")
    case .avif: Description("public.avif", "image/avif", "avif", "avifs")
    case .webp: Description("org.webmproject.webp", "image/webp", "webp")
    case .bmp: Description("com.microsoft.bmp", "image/bmp", "bmp", "dib")
    case .tiff: Description("public.tiff", "image/tiff", "tiff", "tif")
    case .ico: Description("com.microsoft.ico", "image/vnd.microsoft.icon", "ico", "cur")
    case .svg: Description("public.svg-image", "image/svg+xml", "svg", "svgz")
    case .jxl: Description("public.jpeg-xl", "image/jxl", "jxl")
    case .jp2:
      Description("public.jpeg-2000", "image/jp2", "jp2", "j2k", "j2c", "jpx", "jpm", "mj2")
    case .mp4: Description("public.mpeg-4", "video/mp4", "mp4", "m4v", "3gp", "3g2")
    case .mov: Description("com.apple.quicktime-movie", "video/quicktime", "mov", "qt")
    case .m4a: Description("public.mpeg-4-audio", "audio/mp4", "m4a", "m4b", "m4p", "m4r")
    case .mp3: Description("public.mp3", "audio/mpeg", "mp3", "mp2", "mpga")
    case .aac: Description("public.aac-audio", "audio/aac", "aac", "adts")
    case .wav: Description("com.microsoft.waveform-audio", "audio/vnd.wave", "wav", "wave")
    case .aiff: Description("public.aiff-audio", "audio/aiff", "aiff", "aif", "aifc")
    case .flac: Description("org.xiph.flac", "audio/flac", "flac")
    case .ogg:
      Description("org.xiph.ogg", "application/ogg", "ogg", "oga", "ogv", "ogx", "opus", "spx")
    case .avi: Description("public.avi", "video/vnd.avi", "avi")
    case .mpeg:
      Description("public.mpeg", "video/mpeg", "mpg", "mpeg", "m1v", "m2v", "mpe", "vob", "ts")
    case .webm: Description("org.webmproject.webm", "video/webm", "webm")
    case .mkv: Description("org.matroska.mkv", "video/matroska", "mkv", "mka", "mks")
    case .html: Description("public.html", "text/html", "html", "htm", "xhtml")
    case .pdf: Description("com.adobe.pdf", "application/pdf", "pdf")
    case .zip: Description("public.zip-archive", "application/zip", "zip")
    case .unknown: Description(nil, "application/octet-stream")
    }
  }
}
