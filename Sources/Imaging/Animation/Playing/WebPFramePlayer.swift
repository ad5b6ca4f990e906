internal import CWebP
internal import Media

/// Plays an animated WebP (RFC 9649 section 2.7.1.2). The C library is libwebpdemux, whose decoder
/// keeps two canvases; the whole file is mapped.
@safe struct WebPFramePlayer: ~Copyable {
  let size: PixelSize
  private let file: WebPWholeFrames
  private let decoder: OpaquePointer
  private var canvas: UnsafeMutablePointer<UInt8>?
  private var milliseconds: Int32 = 0

  private init(
    size: PixelSize, file: consuming WebPWholeFrames, adopting decoder: OpaquePointer
  ) {
    self.size = size
    self.file = file
    unsafe self.decoder = decoder
    unsafe canvas = nil
  }

  deinit {
    unsafe WebPAnimDecoderDelete(decoder)
  }

  /// The corresponding C function is `WebPAnimDecoderNew`.
  static func open(
    _ input: Int32, _ limits: DecodeLimits
  ) throws(DecodeFailure) -> WebPFramePlayer {
    let mapping = try InputMapping.map(input)
    var features = WebPBitstreamFeatures()
    let status = unsafe WebPGetFeatures(mapping.bytes, mapping.count, &features)
    guard status == VP8_STATUS_OK else { throw DecodeFailure(status) }
    let size = PixelSize(width: Int(features.width), height: Int(features.height))
    try size.check(against: limits)
    let file = try WebPWholeFrames.read(consume mapping)
    var data = unsafe WebPData(bytes: file.bytes, size: file.count)
    guard let decoder = unsafe WebPAnimDecoderNew(&data, nil) else {
      throw .truncated("the animation is not complete")
    }
    // The walk over the chunks' headers has read around each.
    file.release()
    return unsafe WebPFramePlayer(size: size, file: file, adopting: decoder)
  }
}

extension WebPFramePlayer: FramePlayer {
  /// The corresponding C function is `WebPAnimDecoderGetNext`.
  mutating func next() throws(DecodeFailure) -> Double? {
    guard unsafe WebPAnimDecoderHasMoreFrames(decoder) != 0 else { return nil }
    var end: Int32 = 0
    guard unsafe WebPAnimDecoderGetNext(decoder, &canvas, &end) != 0 else {
      throw .corrupt("a frame of the WebP animation is damaged")
    }
    file.release()
    defer { milliseconds = end }
    // The library's sum of delays wraps around after 24 days.
    return AnimationDelay.played(milliseconds: Double(end &- milliseconds))
  }

  func withRow(
    _ row: Int, _ body: (Span<UInt8>) throws(DecodeFailure) -> Void
  ) throws(DecodeFailure) {
    precondition(row >= 0 && row < size.height)
    guard let canvas = unsafe canvas else { throw .corrupt("no frame was played") }
    let bytes = size.width * 4
    try body(unsafe Span(_unsafeStart: UnsafePointer(canvas + row * bytes), count: bytes))
  }
}
