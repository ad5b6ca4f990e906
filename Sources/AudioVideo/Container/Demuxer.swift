internal import CAV
internal import Imaging
internal import Media

/// An open sound or film file: its streams, and their packets in file order.
@safe struct Demuxer: ~Copyable {
  /// As sniffed.
  let format: MediaFormat
  private let file: SourceFile
  private var inputOutput: UnsafeMutablePointer<AVIOContext>?
  private var context: UnsafeMutablePointer<AVFormatContext>?

  private init(_ file: SourceFile, format: MediaFormat) {
    self.file = file
    self.format = format
    unsafe inputOutput = nil
    unsafe context = nil
  }

  deinit {
    var context = unsafe context
    unsafe avformat_close_input(&context)
    unsafe freeInputOutput(inputOutput)
  }

  /// Reads the header, and as many packets as are needed to know the streams.
  static func open(_ input: Int32, limits: DecodeLimits) throws(DecodeFailure) -> Demuxer {
    let file = try SourceFile(descriptor: input)
    let format = MediaFormat.sniff(try file.head())
    guard LibraryPolicy.reads(format) else {
      throw .unsupported("\(format.rawValue) is no sound or film")
    }
    try file.hideSurplusCovers()
    var demuxer = Demuxer(file, format: format)
    try demuxer.readHeader()
    try demuxer.readStreams(limits)
    return demuxer
  }

  /// The corresponding C function is `avformat_open_input`.
  private mutating func readHeader() throws(DecodeFailure) {
    unsafe inputOutput = try file.makeContext()
    unsafe context = avformat_alloc_context()
    guard let context = unsafe context else { throw .outOfMemory }
    unsafe context.pointee.pb = unsafe inputOutput
    unsafe context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    unsafe context.pointee.max_streams = LibraryPolicy.maxStreams
    // A container that names other files gets none.
    unsafe context.pointee.io_open = { _, _, _, _, _ in cav_not_permitted }
    let name = LibraryPolicy.demuxer(of: format)
    let demuxer = unsafe name.flatMap { unsafe av_find_input_format($0) }
    if name != nil, unsafe demuxer == nil { throw .unsupported("no demuxer of \(format.rawValue)") }
    var options = LibraryOptions([
      "protocol_whitelist": "none", "format_whitelist": LibraryPolicy.demuxers(of: format),
      "codec_whitelist": LibraryPolicy.decoders,
    ])
    try DecodeFailure.check(
      unsafe avformat_open_input(&self.context, nil, demuxer, &options.dictionary),
      "the \(format.rawValue) header")
  }

  /// The corresponding C function is `avformat_find_stream_info`.
  private func readStreams(_ limits: DecodeLimits) throws(DecodeFailure) {
    guard let context = unsafe context else { return }
    var options: [OpaquePointer?] = unsafe []
    // Streams may be added meanwhile.
    let count = streamCount
    for _ in 0..<count {
      var dictionary: OpaquePointer?
      unsafe av_dict_set(&dictionary, "max_pixels", "\(limits.maxPixels)", 0)
      unsafe options.append(dictionary)
    }
    let code = unsafe avformat_find_stream_info(context, &options)
    for index in 0..<count { unsafe av_dict_free(&options[index]) }
    try DecodeFailure.check(code, "the \(format.rawValue) streams")
  }

  private var streamCount: Int { unsafe context.map { unsafe Int($0.pointee.nb_streams) } ?? 0 }

  /// The stream's own structure, which lives as long as this value.
  @unsafe func stream(_ index: Int) -> UnsafeMutablePointer<AVStream>? {
    guard let context = unsafe context, (0..<streamCount).contains(index) else { return nil }
    return unsafe context.pointee.streams[index]
  }

  /// All streams, as declared.
  var streams: [StreamDescription] {
    (0..<streamCount).compactMap { index in
      guard let stream = unsafe stream(index) else { return nil }
      return unsafe StreamDescription(stream, index: index)
    }
  }

  /// Nil where neither the container nor its bit rate tells.
  var durationSeconds: Double? {
    guard let context = unsafe context else { return nil }
    let duration = unsafe context.pointee.duration
    guard duration != cav_no_time, duration >= 0 else { return nil }
    return Double(duration) / Double(AV_TIME_BASE)
  }

  /// Where the file begins, in microseconds.
  private var startTime: Int64 {
    guard let context = unsafe context else { return 0 }
    let start = unsafe context.pointee.start_time
    return start == cav_no_time ? 0 : start
  }

  /// Reads the next packet; false at the end. The corresponding C function is `av_read_frame`.
  func read(into packet: borrowing Packet) throws(DecodeFailure) -> Bool {
    packet.clear()
    guard let context = unsafe context else { return false }
    let code = unsafe av_read_frame(context, packet.pointer)
    if code == cav_end_of_file { return false }
    try DecodeFailure.check(code, "a packet")
    return true
  }

  /// Goes to the last key frame at or before a time in seconds; false where the container cannot. The
  /// corresponding C function is `av_seek_frame`.
  func seek(to seconds: Double) -> Bool {
    guard let context = unsafe context, seconds.isFinite, seconds < 1e9 else { return false }
    let (time, overflow) = Int64(seconds * Double(AV_TIME_BASE)).addingReportingOverflow(startTime)
    guard !overflow else { return false }
    return unsafe av_seek_frame(context, -1, time, AVSEEK_FLAG_BACKWARD) >= 0
  }

  /// What a time of a stream is in seconds from the file's start; nil for one that makes no sense.
  func seconds(_ time: Int64, ofStream index: Int) -> Double? {
    guard let stream = unsafe stream(index), unsafe stream.pointee.time_base.den > 0 else {
      return nil
    }
    let base = unsafe Double(stream.pointee.time_base.num) / Double(stream.pointee.time_base.den)
    let seconds = Double(time) * base - Double(startTime) / Double(AV_TIME_BASE)
    return seconds.isFinite && seconds < 1e9 ? max(0, seconds) : nil
  }

  /// Goes back to the beginning; false where the container cannot.
  func rewind() -> Bool {
    guard let context = unsafe context, format == .mpeg else { return seek(to: 0) }
    // These have no index: by time, the first key frame may be missed.
    return unsafe av_seek_frame(context, -1, 0, AVSEEK_FLAG_BYTE) >= 0
  }

  /// Passes over all packets of streams other than these.
  func select(_ indices: Set<Int>) {
    for index in 0..<streamCount where !indices.contains(index) {
      unsafe stream(index)?.pointee.discard = AVDISCARD_ALL
    }
  }
}
