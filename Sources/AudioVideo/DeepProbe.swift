internal import Imaging
internal import Media

/// Reads all of a file, and decodes its sound and film for as long as that may take.
struct DeepProbe {
  let limits: DecodeLimits

  /// Time for decoding; what comes later is read only.
  private static let decodingTime = Duration.seconds(20)

  /// Fails where the data ends early or contradicts its format.
  func run(_ input: Int32) throws(DecodeFailure) {
    let demuxer = try Demuxer.open(input, limits: limits)
    for stream in demuxer.streams where stream.kind == .audio || stream.kind == .video {
      try decode(stream, input)
    }
    // A cut index costs no frame, but keeps the film from being attached.
    if demuxer.format == .avi { _ = try CleanCopy.of(.avi, try SourceFile(descriptor: input)) }
  }

  /// One pass a stream: a decoder cannot be kept in an array.
  private func decode(_ stream: StreamDescription, _ input: Int32) throws(DecodeFailure) {
    let end = ContinuousClock.now + Self.decodingTime
    let demuxer = try Demuxer.open(input, limits: limits)
    demuxer.select([stream.index])
    let decoder = try StreamDecoder.open(stream.index, of: demuxer, limits: limits)
    let packet = try Packet.allocate()
    let frame = try FilmFrame.allocate()
    var frames = 0
    while try demuxer.read(into: packet) {
      guard packet.streamIndex == stream.index else { continue }
      guard !packet.isDamaged else {
        throw .truncated("a packet of the \(stream.codec) stream is not whole")
      }
      guard ContinuousClock.now < end else { continue }
      try decoder.send(packet)
      while try decoder.receive(into: frame) { frames += 1 }
    }
    decoder.end()
    while try decoder.receive(into: frame) { frames += 1 }
    guard frames > 0 else { throw .truncated("the \(stream.codec) stream holds no frame") }
  }
}
