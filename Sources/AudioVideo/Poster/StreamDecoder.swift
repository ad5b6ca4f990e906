internal import CAV
internal import Imaging
internal import Media

/// Decodes one stream on the calling thread.
@safe struct StreamDecoder: ~Copyable {
  private var context: UnsafeMutablePointer<AVCodecContext>?

  private init() {
    unsafe context = nil
  }

  deinit {
    var context = unsafe context
    unsafe avcodec_free_context(&context)
  }

  /// The corresponding C functions are `avcodec_find_decoder` and `avcodec_open2`.
  static func open(
    _ index: Int, of demuxer: borrowing Demuxer, limits: DecodeLimits
  ) throws(DecodeFailure) -> StreamDecoder {
    guard let stream = unsafe demuxer.stream(index),
      let parameters = unsafe stream.pointee.codecpar
    else { throw .corrupt("stream \(index) has no parameters") }
    let name = unsafe String(cString: avcodec_get_name(parameters.pointee.codec_id))
    guard let codec = unsafe avcodec_find_decoder(parameters.pointee.codec_id) else {
      throw .unsupported("\(name) is not decoded")
    }
    var decoder = StreamDecoder()
    unsafe decoder.context = avcodec_alloc_context3(codec)
    guard let context = unsafe decoder.context else { throw .outOfMemory }
    try DecodeFailure.check(
      unsafe avcodec_parameters_to_context(context, parameters), "\(name) parameters")
    unsafe context.pointee.thread_count = 1
    unsafe context.pointee.pkt_timebase = unsafe stream.pointee.time_base
    var options = LibraryOptions([
      "codec_whitelist": LibraryPolicy.decoders, "max_pixels": "\(limits.maxPixels)",
    ])
    let code = unsafe avcodec_open2(context, codec, &options.dictionary)
    guard code != cav_invalid_argument else { throw .unsupported("\(name) is not decoded") }
    try DecodeFailure.check(code, "the \(name) decoder")
    return decoder
  }

  /// Feeds a packet; nil says that no more will come. The corresponding C function is
  /// `avcodec_send_packet`.
  func send(_ packet: borrowing Packet) throws(DecodeFailure) {
    guard let context = unsafe context else { return }
    try DecodeFailure.check(unsafe avcodec_send_packet(context, packet.pointer), "a coded frame")
  }

  /// Says that no more will come before the next `restart`.
  func end() {
    guard let context = unsafe context else { return }
    unsafe avcodec_send_packet(context, nil)
  }

  /// Takes the next finished frame; false where there is none yet, or none any more. The corresponding
  /// C function is `avcodec_receive_frame`.
  func receive(into frame: borrowing FilmFrame) throws(DecodeFailure) -> Bool {
    guard let context = unsafe context else { return false }
    let code = unsafe avcodec_receive_frame(context, frame.pointer)
    if code == cav_try_again || code == cav_end_of_file { return false }
    try DecodeFailure.check(code, "a coded frame")
    return true
  }

  /// Forgets what came before, for a packet from elsewhere in the file. The corresponding C function is
  /// `avcodec_flush_buffers`.
  func restart() {
    guard let context = unsafe context else { return }
    unsafe avcodec_flush_buffers(context)
  }
}
