/// Which files a notification may carry (contract §5; Apple's table for UNNotificationAttachment).
package enum AttachmentRules: String, Sendable, Hashable, CaseIterable {
  /// Apple's published table, sizes in decimal megabytes.
  case apple
  /// Also HEIF, raw AAC, and 50 MB of any kind, as some documents have it.
  case wide

  /// What is MPEG or MPEG-2 film and its sound.
  private static let mpegCodecs: Set<String> = [
    "mpeg1video", "mpeg2video", "mp1", "mp2", "mp3", "aac", "ac3", "pcm_dvd",
  ]

  /// The most attachments of one notification.
  package static let maxAttachments = 4

  /// The bytes a file of this kind may have.
  package func maxBytes(_ kind: MediaKind) -> Int {
    switch (self, kind) {
    case (.wide, _), (.apple, .video): 50_000_000
    case (.apple, .image): 10_000_000
    case (.apple, .audio): 5_000_000
    }
  }

  /// Whether the format is one that notifications show or play. Codecs decide for containers, where
  /// they are known: H.264 and HEVC in MP4, AAC and ALAC in M4A.
  package func admits(_ format: MediaFormat, codecs: [String]) -> Bool {
    switch format {
    case .jpeg, .png, .gif, .aiff, .wav, .mp3, .avi: true
    case .mpeg: codecs.allSatisfy { Self.mpegCodecs.contains($0) }
    case .mp4: codecs.allSatisfy { ["h264", "hevc", "aac", "alac", "mp3", "ac3"].contains($0) }
    case .m4a: codecs.allSatisfy { ["aac", "alac"].contains($0) }
    case .heic, .avif, .aac: self == .wide && format != .avif
    default: false
    }
  }

  /// The container that the streams of a file are put into, unchanged, so that notifications play
  /// it: QuickTime, MP4 and H.264 or HEVC in an MPEG stream become MP4 with its index first, ADTS,
  /// M4A and QuickTime with sound alone become M4A. The format itself where notifications take it
  /// as it is; nil where its codecs or its form stand against it.
  package func playable(_ format: MediaFormat, codecs: [String]) -> MediaFormat? {
    switch format {
    case .mpeg where codecs.contains("h264") || codecs.contains("hevc"):
      admits(.mp4, codecs: codecs) ? .mp4 : nil
    case .mov where !codecs.isEmpty && admits(.m4a, codecs: codecs): .m4a
    case .mp4, .mov: !codecs.isEmpty && admits(.mp4, codecs: codecs) ? .mp4 : nil
    case .m4a, .aac: !codecs.isEmpty && admits(.m4a, codecs: codecs) ? .m4a : nil
    default: format.kind != .image && admits(format, codecs: codecs) ? format : nil
    }
  }

  /// What speaks against attaching the file as it is; empty where nothing does.
  package func objections(
    format: MediaFormat, bytes: Int, codecs: [String] = []
  ) -> [Problem] {
    guard let kind = format.kind else {
      return [Problem(.decode, .notMedia, "\(Self.name(of: format)) is no picture, sound or film")]
    }
    var problems: [Problem] = []
    if !admits(format, codecs: codecs) {
      problems.append(unsupported(format, codecs: codecs))
    }
    if bytes > maxBytes(kind) {
      problems.append(
        Problem(
          .decode, .attachmentTooLarge,
          "\(bytes) bytes, the limit for \(kind.rawValue) is \(maxBytes(kind))", severity: .warning)
      )
    }
    return problems
  }

  private func unsupported(_ format: MediaFormat, codecs: [String]) -> Problem {
    let isReadable = [.heic, .avif, .webp].contains(format)
    let container = playable(format, codecs: codecs)
    let advice =
      isReadable
      ? "; it is made into JPEG, PNG or GIF"
      : container.map { "; it is made into \($0.rawValue)" } ?? ""
    let contents = codecs.isEmpty ? "" : " holding \(codecs.joined(separator: ", "))"
    return Problem(
      .decode, .unsupportedFormat,
      "\(Self.name(of: format))\(contents) is not among the formats a notification shows\(advice)",
      severity: isReadable || container != nil ? .note : .error)
  }

  private static func name(of format: MediaFormat) -> String {
    format == .unknown ? "an unknown format" : format.rawValue
  }
}
