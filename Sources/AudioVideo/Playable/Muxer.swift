internal import CAV
internal import Imaging
internal import Media

/// An MP4 or M4A file being written, its index to come first, without any tag.
@safe struct Muxer: ~Copyable {
  private let file: OutputFile
  private var inputOutput: UnsafeMutablePointer<AVIOContext>?
  private var context: UnsafeMutablePointer<AVFormatContext>?

  private init(_ file: OutputFile) {
    self.file = file
    unsafe inputOutput = nil
    unsafe context = nil
  }

  deinit {
    unsafe avformat_free_context(context)
    unsafe freeInputOutput(inputOutput)
  }

  /// For streams that come from a file of another format. The corresponding C function is
  /// `avformat_alloc_output_context2`.
  static func make(
    _ format: MediaFormat, of source: MediaFormat, into file: OutputFile
  ) throws(DecodeFailure) -> Muxer {
    var muxer = Muxer(file)
    unsafe muxer.inputOutput = try file.makeContext()
    // libavformat's name of the muxer that writes the brand `M4A `.
    let name = format == .m4a ? "ipod" : "mp4"
    // The address is that of the file to be moved about in; it names none.
    try DecodeFailure.check(
      unsafe avformat_alloc_output_context2(&muxer.context, nil, name, "output"), "the muxer")
    guard let context = unsafe muxer.context else { throw .outOfMemory }
    unsafe context.pointee.pb = unsafe muxer.inputOutput
    // Else the muxer would write its own name and version into the file.
    unsafe context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT
    // Of a broadcast, the hours before it would be an empty part.
    if source == .mpeg { unsafe context.pointee.avoid_negative_ts = AVFMT_AVOID_NEG_TS_MAKE_ZERO }
    unsafe context.pointee.opaque = Unmanaged.passUnretained(file).toOpaque()
    unsafe context.pointee.io_open = { context, result, _, flags, _ in
      guard let opaque = unsafe context?.pointee.opaque, flags == AVIO_FLAG_READ else {
        return cav_not_permitted
      }
      let file = unsafe Unmanaged<OutputFile>.fromOpaque(opaque).takeUnretainedValue()
      unsafe result?.pointee = OutputReader.makeContext(file)
      return unsafe result?.pointee == nil ? cav_out_of_memory : 0
    }
    unsafe context.pointee.io_close2 = { _, reader in
      if let reader = unsafe reader { unsafe OutputReader.free(reader) }
      return 0
    }
    return muxer
  }

  /// Adds a stream with the parameters and side data (its display matrix among them) of another,
  /// but none of its tags: its index. The corresponding C function is `avformat_new_stream`.
  @unsafe func add(_ source: UnsafeMutablePointer<AVStream>) throws(DecodeFailure) -> Int {
    guard let stream = unsafe avformat_new_stream(context, nil),
      let parameters = unsafe stream.pointee.codecpar,
      let sourceParameters = unsafe source.pointee.codecpar
    else { throw .outOfMemory }
    try DecodeFailure.check(
      unsafe avcodec_parameters_copy(parameters, sourceParameters), "stream parameters")
    if let texts = unsafe SupplementalTexts(of: parameters) { unsafe texts.clean(parameters) }
    let isHEVC = unsafe parameters.pointee.codec_id == AV_CODEC_ID_HEVC
    // 0 leaves the tag to the muxer; for HEVC it would choose `hev1`, which Apple's players refuse.
    unsafe parameters.pointee.codec_tag = isHEVC ? cav_tag_hvc1 : 0
    unsafe stream.pointee.time_base = unsafe source.pointee.time_base
    unsafe stream.pointee.sample_aspect_ratio = unsafe source.pointee.sample_aspect_ratio
    unsafe stream.pointee.avg_frame_rate = unsafe source.pointee.avg_frame_rate
    unsafe stream.pointee.disposition = unsafe source.pointee.disposition & AV_DISPOSITION_DEFAULT
    for index in 0..<(unsafe Int(source.pointee.nb_side_data)) {
      let data = unsafe source.pointee.side_data[index]
      guard let copy = unsafe av_stream_new_side_data(stream, data.type, data.size) else {
        throw .outOfMemory
      }
      if unsafe data.size > 0 { unsafe copy.update(from: data.data, count: data.size) }
    }
    return unsafe Int(stream.pointee.index)
  }

  /// The corresponding C function is `avformat_write_header`.
  func begin() throws(DecodeFailure) {
    var options = LibraryOptions(["movflags": "+faststart"])
    try DecodeFailure.check(
      unsafe avformat_write_header(context, &options.dictionary), "the file's start")
  }

  /// Writes a packet whose times count in `timeBase`. The corresponding C function is
  /// `av_interleaved_write_frame`.
  func write(
    _ packet: borrowing Packet, stream index: Int, timeBase: AVRational
  ) throws(DecodeFailure) {
    guard let context = unsafe context, let stream = unsafe context.pointee.streams[index] else {
      return
    }
    unsafe packet.pointer.pointee.stream_index = Int32(index)
    unsafe packet.pointer.pointee.pos = -1
    unsafe av_packet_rescale_ts(packet.pointer, timeBase, stream.pointee.time_base)
    try DecodeFailure.check(
      unsafe av_interleaved_write_frame(context, packet.pointer), "a packet's place in the file")
  }

  /// Writes the index and moves it to the front. The corresponding C function is `av_write_trailer`.
  func end() throws(DecodeFailure) {
    try DecodeFailure.check(unsafe av_write_trailer(context), "the file's index")
    unsafe avio_flush(inputOutput)
    if let error = unsafe inputOutput?.pointee.error, error < 0 {
      throw .inputOutput("the playable file could not be written")
    }
  }
}
