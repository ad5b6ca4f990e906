internal import Imaging
internal import Media

/// A film as a still-picture decoder: its most telling frame.
struct PosterDecoder: ~Copyable, PictureDecoder {
  private var demuxer: Demuxer?
  private let film: StreamDescription
  private let facts: MediaFacts
  private let time: Duration?
  private var limits = DecodeLimits()
  /// Where the poster was found; nil before it was.
  private(set) var posterSeconds: Double?
  private(set) var wasHurried = false

  /// `time` is what the whole answer may take; nil where it may take any.
  init(
    _ demuxer: consuming Demuxer, film: StreamDescription, facts: MediaFacts, time: Duration?
  ) {
    self.time = time
    self.demuxer = consume demuxer
    self.film = film
    self.facts = facts
  }

  mutating func readHeader(_ limits: DecodeLimits) throws(DecodeFailure) -> PictureHeader {
    self.limits = limits
    guard let size = film.storedSize else {
      throw .corrupt("the film's size is not known: \(film.codec)")
    }
    let declared = max(size.area ?? .max, film.frameSize?.area ?? .max)
    guard declared <= limits.maxPixels else {
      throw .tooManyPixels(declared: declared, limit: limits.maxPixels)
    }
    return PictureHeader(
      facts: PictureFacts(
        format: facts.format, storedSize: size, orientation: film.orientation,
        durationSeconds: facts.durationSeconds, bitDepth: film.bitDepth,
        colorSpace: film.colorSpace, codecs: facts.codecs),
      codePoints: film.codePoints)
  }

  /// Delivers RGB, of 16 bits where light is coded by PQ or HLG. Every pixel is delivered.
  mutating func decode<Sink: RowSink & ~Copyable>(
    needed: PixelSize?, into sink: inout Sink
  ) throws(DecodeFailure) {
    guard let demuxer = demuxer.take(), let size = film.storedSize else {
      throw .corrupt("decoded before the header was read")
    }
    let decoder = try StreamDecoder.open(film.index, of: demuxer, limits: limits)
    var search = try PosterSearch(demuxer, decoder, streamIndex: film.index, time: time)
    let frame = try search.run()
    posterSeconds = search.seconds(of: frame)
    wasHurried = search.wasHurried
    let isDeep = film.isHighDynamicRange
    let bytes = try FrameConverter.make(for: frame, target: isDeep ? .rgb16 : .rgb8, size: size)
      .convert(frame)
    try sink.begin(
      RasterDescription(
        model: .rgb, hasAlpha: false, depth: isDeep ? .sixteen : .eight,
        planes: [RasterDescription.Plane(size: size, components: 3)]))
    let rowBytes = size.width * (isDeep ? 6 : 3)
    for row in 0..<size.height {
      let span = bytes.span.extracting(row * rowBytes..<(row + 1) * rowBytes)
      if isDeep {
        try deliver16(span, into: &sink)
      } else {
        try sink.consume(span, plane: 0)
      }
    }
  }

  private func deliver16<Sink: RowSink & ~Copyable>(
    _ bytes: Span<UInt8>, into sink: inout Sink
  ) throws(DecodeFailure) {
    var samples = [UInt16](repeating: 0, count: bytes.count / 2)
    for index in samples.indices {
      samples[index] = unsafe bytes.bytes.unsafeLoadUnaligned(
        fromByteOffset: index * 2, as: UInt16.self)
    }
    try sink.consume(samples.span, plane: 0)
  }
}
