/// What a sound or film file declares about itself.
package struct MediaFacts: Sendable, Hashable {
  /// The sniffed container, refined by its streams: MP4 with sound alone is `m4a`.
  package var format: MediaFormat
  /// Nil where neither the container nor its bit rate tells.
  package var durationSeconds: Double?
  /// The coded formats of sound and film, in the streams' order (`h264`, `aac`, `pcm_s16be`); cover
  /// art, subtitles and data are not among them.
  package var codecs: [String]
  /// The film's size as displayed: aspect ratio of pixels and turns applied; nil for sound.
  package var displayedSize: PixelSize?
  /// How stored frames are turned for display.
  package var orientation: Orientation
  /// Bits a component of the film; nil for sound.
  package var bitDepth: Int?
  /// `sRGB` for standard dynamic range of BT.709 or BT.601, else the name of primaries and transfer;
  /// nil for sound.
  package var colorSpace: String?
  /// Whether a picture is embedded beside the sound or film.
  package var hasCover: Bool
  /// Where the poster was found, in seconds from the film's start; nil where none was made.
  package var posterSeconds: Double?

  package init(
    format: MediaFormat, durationSeconds: Double? = nil, codecs: [String] = [],
    displayedSize: PixelSize? = nil, orientation: Orientation = .up, bitDepth: Int? = nil,
    colorSpace: String? = nil, hasCover: Bool = false, posterSeconds: Double? = nil
  ) {
    self.format = format
    self.durationSeconds = durationSeconds
    self.codecs = codecs
    self.displayedSize = displayedSize
    self.orientation = orientation
    self.bitDepth = bitDepth
    self.colorSpace = colorSpace
    self.hasCover = hasCover
    self.posterSeconds = posterSeconds
  }
}
