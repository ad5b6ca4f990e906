internal import CAV
internal import Media

/// What of the libraries foreign bytes may reach: a demuxer a format, and few decoders.
enum LibraryPolicy {
  /// The demuxer that reads a format; nil where libavformat chooses among `demuxers`.
  static func demuxer(of format: MediaFormat) -> String? {
    switch format {
    case .mp4, .mov, .m4a: "mov"
    case .webm, .mkv: "matroska"
    case .mp3, .aac, .wav, .aiff, .flac, .ogg, .avi: format.rawValue
    default: nil
    }
  }

  /// MPEG streams come in several forms.
  static func demuxers(of format: MediaFormat) -> String {
    demuxer(of: format) ?? "mpeg,mpegts,mpegvideo"
  }

  /// The formats that are read at all.
  static func reads(_ format: MediaFormat) -> Bool {
    format.kind == .audio || format.kind == .video
  }

  /// Decoders by libavcodec's names, comma-separated. Sound is decoded to tell durations, and for a
  /// deep probe.
  static let decoders = [
    "h264", "hevc", "mpeg1video", "mpeg2video", "mpeg4", "msmpeg4", "msmpeg4v2", "h263", "mjpeg",
    "vp8", "vp9", "libdav1d", "theora", "prores",
    "aac", "alac", "mp1", "mp1float", "mp2", "mp2float", "mp3", "mp3float", "ac3", "flac", "vorbis",
    "libvorbis",
    "opus", "libopus",
    "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_s32be", "pcm_f32le",
    "pcm_f32be", "pcm_u8", "pcm_s8", "pcm_alaw", "pcm_mulaw",
  ].joined(separator: ",")

  /// Streams of one file that are looked at.
  static let maxStreams: Int32 = 100

  /// Turns off what the libraries write to standard error. The corresponding C function is
  /// `av_log_set_level`.
  static func silence() {
    av_log_set_level(AV_LOG_QUIET)
  }
}
