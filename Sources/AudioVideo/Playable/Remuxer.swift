internal import CAV
internal import Imaging
internal import Media

/// Puts the sound and film of a file into another container, bit for bit as they are coded, but for
/// messages that cameras leave within the film.
struct Remuxer {
  let target: MediaFormat

  /// Writes the file to the output's end and tells where it lies. Subtitles, data, covers and all tags
  /// (a phone writes the place of the recording) are left out.
  func run(
    _ demuxer: borrowing Demuxer, into output: Int32
  ) throws(DecodeFailure) -> RenderReply.Part {
    let file = try OutputFile(descriptor: output)
    let muxer = try Muxer.make(target, of: demuxer.format, into: file)
    var tracks: [Int: Track] = [:]
    for stream in demuxer.streams where stream.kind == .audio || stream.kind == .video {
      guard let source = unsafe demuxer.stream(stream.index) else { continue }
      tracks[stream.index] = Track(
        index: unsafe try muxer.add(source), timeBase: unsafe source.pointee.time_base,
        texts: unsafe source.pointee.codecpar.flatMap { unsafe SupplementalTexts(of: $0) })
    }
    demuxer.select(Set(tracks.keys))
    try muxer.begin()
    let packet = try Packet.allocate()
    var isEmpty = true
    while try demuxer.read(into: packet) {
      let index = packet.streamIndex
      guard let track = tracks[index] else { continue }
      guard !packet.isDamaged else { throw .truncated("a packet of stream \(index)") }
      tracks[index]?.settle(packet)
      if let places = track.texts.map({ packet.places(of: $0) }), !places.isEmpty {
        try packet.overwrite(places, with: SupplementalTexts.filler)
      }
      isEmpty = false
      try muxer.write(packet, stream: track.index, timeBase: track.timeBase)
    }
    guard !isEmpty else { throw .truncated("the file holds neither sound nor frames") }
    try muxer.end()
    return RenderReply.Part(format: target, bytes: file.range)
  }

  private struct Track {
    /// In the written file.
    let index: Int
    let timeBase: AVRational
    /// Nil for what has none.
    let texts: SupplementalTexts?
    private var last: Int64?

    init(index: Int, timeBase: AVRational, texts: SupplementalTexts?) {
      self.index = index
      self.timeBase = timeBase
      self.texts = texts
    }

    /// Moves a decoding time that does not come after the one before it to the next instant: broken
    /// writers make such, and MP4 cannot hold them.
    mutating func settle(_ packet: borrowing Packet) {
      let times = unsafe packet.pointer
      guard unsafe times.pointee.dts != cav_no_time else { return }
      if let last, last < .max, unsafe times.pointee.dts <= last {
        unsafe times.pointee.dts = last + 1
        let shown = unsafe times.pointee.pts
        if shown != cav_no_time { unsafe times.pointee.pts = max(shown, last + 1) }
      }
      last = unsafe times.pointee.dts
    }
  }
}
