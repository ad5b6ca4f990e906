internal import Imaging
internal import Media

extension MediaFacts {
  /// What the container and its streams declare.
  init(_ demuxer: borrowing Demuxer, streams: [StreamDescription]) throws(DecodeFailure) {
    let shown = streams.filter { $0.kind == .audio || $0.kind == .video }
    guard !shown.isEmpty else {
      throw .corrupt("the \(demuxer.format.rawValue) file holds neither sound nor film")
    }
    let film = shown.first { $0.kind == .video }
    // Film whose only sound is not understood must not pass for silent.
    let isUntold =
      demuxer.format == .mpeg && !shown.contains { $0.kind == .audio }
      && streams.contains(where: \.isUntold)
    self.init(
      format: Self.refined(demuxer.format, hasFilm: film != nil),
      durationSeconds: demuxer.durationSeconds,
      codecs: shown.map(\.codec) + (isUntold ? [StreamDescription.untoldCodec] : []),
      hasCover: streams.contains { $0.kind == .cover })
    guard let film else { return }
    displayedSize = film.storedSize.map(film.orientation.displayed)
    orientation = film.orientation
    bitDepth = film.bitDepth
    colorSpace = film.colorSpace
  }

  /// MP4 and M4A differ in what they hold, whatever their brand says.
  private static func refined(_ format: MediaFormat, hasFilm: Bool) -> MediaFormat {
    switch format {
    case .mp4 where !hasFilm: .m4a
    case .m4a where hasFilm: .mp4
    default: format
    }
  }
}
