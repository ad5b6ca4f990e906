internal import CWebP
internal import Media

/// What the container of a WebP tells (WebP Container Specification): frames, profile, Exif. The C
/// library is libwebpdemux.
@safe struct WebPContainer: ~Copyable {
  private let demuxer: OpaquePointer?
  /// Whether all that the container declares is there.
  let isWhole: Bool

  private static let maxExifBytes = 65_536

  /// Parses what there is; a file that does not parse has no frames. The mapping must outlive this.
  init(_ mapping: borrowing InputMapping) {
    var data = unsafe WebPData(bytes: mapping.bytes, size: mapping.count)
    var state = WEBP_DEMUX_PARSING_HEADER
    unsafe demuxer = WebPDemuxPartial(&data, &state)
    isWhole = state == WEBP_DEMUX_DONE
    // The walk over the chunks' headers has read around each.
    mapping.release()
  }

  deinit {
    unsafe WebPDemuxDelete(demuxer)
  }

  var frames: Int { value(WEBP_FF_FRAME_COUNT) }
  /// 0 for ever.
  var loopCount: Int { value(WEBP_FF_LOOP_COUNT) }
  var iccProfile: [UInt8]? { chunk("ICCP", limit: EmbeddedProfile.largestProfile) }

  /// Why there is no profile though the file has one.
  var brokenProfile: String? {
    guard let demuxer = unsafe demuxer else { return nil }
    var iterator = unsafe WebPChunkIterator()
    guard unsafe WebPDemuxGetChunk(demuxer, "ICCP", 1, &iterator) != 0 else { return nil }
    defer { unsafe WebPDemuxReleaseChunkIterator(&iterator) }
    let bytes = unsafe iterator.chunk.size
    return bytes > EmbeddedProfile.largestProfile ? EmbeddedProfile.tooLarge(bytes) : nil
  }

  var orientation: Orientation {
    guard let bytes = chunk("EXIF", limit: Self.maxExifBytes) else { return .up }
    return Orientation(exif: bytes.matches("Exif\0\0") ? Array(bytes.dropFirst(6)) : bytes)
  }

  /// The thumbnail in the Exif chunk of the file that is mapped.
  func thumbnail(_ mapping: borrowing InputMapping) -> EmbeddedJPEG? {
    guard let demuxer = unsafe demuxer else { return nil }
    var iterator = unsafe WebPChunkIterator()
    guard unsafe WebPDemuxGetChunk(demuxer, "EXIF", 1, &iterator) != 0 else { return nil }
    defer { unsafe WebPDemuxReleaseChunkIterator(&iterator) }
    guard let start = unsafe iterator.chunk.bytes, unsafe iterator.chunk.size <= Self.maxExifBytes
    else { return nil }
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: iterator.chunk.size))
    return unsafe EmbeddedJPEG(exif: bytes, at: start - mapping.bytes)
  }

  /// One loop, as browsers play it. Call it only for a bounded number of frames.
  func milliseconds() throws(DecodeFailure) -> Double {
    var total = 0.0
    for number in 1...max(1, frames) {
      let duration = try unsafe withFrame(number) { (frame) throws(DecodeFailure) in
        unsafe Double(frame.duration)
      }
      total += AnimationDelay.played(milliseconds: duration ?? 0)
    }
    return total
  }

  /// Whether the canvas shows through in any frame. Call it only for a bounded number of frames.
  func showsThrough(_ canvas: PixelSize) throws(DecodeFailure) -> Bool {
    var coverage = CanvasCoverage(canvas)
    for number in 1...max(1, frames) {
      let frame = try unsafe withFrame(number) { (frame) throws(DecodeFailure) in
        unsafe CanvasCoverage.Frame(
          left: Int(frame.x_offset), top: Int(frame.y_offset),
          size: PixelSize(width: Int(frame.width), height: Int(frame.height)),
          isOpaque: frame.has_alpha == 0, replacesPixels: frame.blend_method == WEBP_MUX_NO_BLEND,
          clears: frame.dispose_method == WEBP_MUX_DISPOSE_BACKGROUND)
      }
      if let frame { coverage.take(frame) }
    }
    return coverage.showsThrough
  }

  /// Decodes every frame and keeps none.
  func checkFrames() throws(DecodeFailure) {
    for number in 1...max(1, frames) {
      _ = try unsafe withFrame(number) { (frame) throws(DecodeFailure) in
        guard let bytes = unsafe frame.fragment.bytes,
          try unsafe WebPFrameDecoder(.pixelsWithAlpha).decode(bytes, count: frame.fragment.size)
        else { throw .truncated("frame \(number) of \(frames) ends early") }
      }
    }
  }

  /// Runs `body` with a frame, counted from 1; nil where there is none. The fragment that the frame
  /// names lies in the mapping.
  func withFrame<Result>(
    _ number: Int, _ body: (WebPIterator) throws(DecodeFailure) -> Result
  ) throws(DecodeFailure) -> Result? {
    guard let demuxer = unsafe demuxer else { return nil }
    var iterator = unsafe WebPIterator()
    guard unsafe WebPDemuxGetFrame(demuxer, Int32(number), &iterator) != 0 else { return nil }
    defer { unsafe WebPDemuxReleaseIterator(&iterator) }
    return unsafe try body(iterator)
  }

  private func value(_ feature: WebPFormatFeature) -> Int {
    guard let demuxer = unsafe demuxer else { return 0 }
    return unsafe Int(WebPDemuxGetI(demuxer, feature))
  }

  private func chunk(_ name: String, limit: Int) -> [UInt8]? {
    guard let demuxer = unsafe demuxer else { return nil }
    var iterator = unsafe WebPChunkIterator()
    guard unsafe WebPDemuxGetChunk(demuxer, name, 1, &iterator) != 0 else { return nil }
    defer { unsafe WebPDemuxReleaseChunkIterator(&iterator) }
    guard unsafe iterator.chunk.size <= limit else { return nil }
    return unsafe Array(
      UnsafeBufferPointer(start: iterator.chunk.bytes, count: iterator.chunk.size))
  }
}

extension WebPContainer {
  /// The first frame's bitstream, in the mapping.
  ///
  /// - Safety: valid while the mapping lives.
  @unsafe func firstFragment() throws(DecodeFailure) -> (UnsafePointer<UInt8>, Int) {
    let fragment = unsafe try withFrame(1) { (frame) throws(DecodeFailure) in
      unsafe frame.fragment
    }
    guard let fragment = unsafe fragment, let bytes = unsafe fragment.bytes else {
      throw .truncated("the animation ends before its first frame")
    }
    return unsafe (bytes, fragment.size)
  }

  /// Decodes the first frame to its place on a canvas of RGBA rows; the first row that lacks data,
  /// nil for a whole frame.
  func drawFirstFrame(
    on store: borrowing PixelStore, _ canvas: PixelSize
  ) throws(DecodeFailure) -> Int? {
    let (bytes, count) = unsafe try firstFragment()
    let place = unsafe try withFrame(1) { (frame) throws(DecodeFailure) in
      unsafe (Int(frame.x_offset), Int(frame.y_offset), Int(frame.width), Int(frame.height))
    }
    guard let (left, top, width, height) = place, left >= 0, top >= 0, width > 0, height > 0,
      left + width <= canvas.width, top + height <= canvas.height
    else { throw .corrupt("the first frame lies outside the canvas") }
    let stride = canvas.width * 4
    let decoder = unsafe WebPFrameDecoder(
      into: store.row(top) + left * 4, bytes: (canvas.height - top) * stride - left * 4,
      stride: stride)
    return try unsafe decoder.decode(bytes, count: count) ? nil : top + decoder.rows
  }
}
