internal import CCodecShims
package import Media

/// A PNG decoder: header facts from our own walk over the chunks, rows from libpng. An interlaced
/// picture is held whole; any other takes the memory of a few rows.
@safe package struct PNGDecoder: ~Copyable {
  private let input: Int32
  private var ranges: [ccodecs_byte_range] = []
  private var cutImageData: (offset: Int, length: Int)?
  /// Whether the file has its end chunk.
  private var isWhole = false
  private var isAnimation = false
  private var limits = DecodeLimits()
  private var coded = unsafe ccodecs_png_header()
  /// Nil before the header is read.
  private var handle: OpaquePointer?

  /// What one chunk may inflate to: an ICC profile at most.
  static let maxChunkBytes = EmbeddedProfile.largestProfile

  /// Adopts nothing but the number: `input` is read by offset and stays its owner's.
  package init(input: Int32) {
    self.input = input
    unsafe handle = nil
  }

  deinit {
    if let handle = unsafe handle { unsafe ccodecs_png_destroy(handle) }
  }
}

extension PNGDecoder: PictureDecoder {
  package mutating func readHeader(
    _ limits: DecodeLimits
  ) throws(DecodeFailure) -> PictureHeader {
    var reader = try InputReader(input)
    let chunks = try PNGChunks.read(&reader, limits)
    guard chunks.animation.frames <= limits.maxFrames else {
      throw .tooManyFrames(declared: chunks.animation.frames, limit: limits.maxFrames)
    }
    ranges = chunks.visible
    cutImageData = chunks.cutImageData
    self.limits = limits
    isAnimation = chunks.animation.frames > 1
    isWhole = chunks.isWhole
    try open()
    let profile = profile()
    return PictureHeader(
      facts: facts(chunks, profile), iccProfile: profile,
      brokenProfile: chunks.hasProfile && profile == nil ? try profileTrouble() : nil,
      codePoints: chunks.colour.codePoints,
      gamma: chunks.colour.gamma, chromaticities: chunks.colour.chromaticities,
      loopCount: chunks.animation.loopCount)
  }

  package mutating func decode<Sink: RowSink & ~Copyable>(
    needed: PixelSize?, into sink: inout Sink
  ) throws(DecodeFailure) {
    let rows = try start()
    let description = description(rows)
    try sink.begin(description)
    if rows.passes > 1 {
      try decodeInterlaced(rows, description, into: &sink)
    } else {
      try decodeRowByRow(rows, description, into: &sink)
    }
  }
}

extension PNGDecoder {
  /// The rows of an interlaced picture are whole only with the last pass.
  package mutating func show(to comparison: inout PictureComparison) throws(DecodeFailure) {
    guard unsafe !coded.interlaced else { return }
    try showRows(to: &comparison)
  }

  package func checkLaterFrames(isThorough: Bool) throws(DecodeFailure) {
    if isAnimation, !isWhole { throw .truncated("the file ends before the animation does") }
    // Nothing of a still is missing then, but the file has lost its end.
    if isThorough, !isWhole { throw .truncated("the file ends before its end chunk") }
    guard isThorough, isAnimation else { return }
    var player = try PNGFramePlayer.open(input, limits)
    while try player.next() != nil {}
  }

  /// Begins a session at the start of the file, in place of one that there may be.
  private mutating func open() throws(DecodeFailure) {
    if let old = unsafe handle.take() { unsafe ccodecs_png_destroy(old) }
    let created = unsafe ranges.withUnsafeBufferPointer { buffer in
      unsafe buffer.baseAddress.flatMap {
        unsafe ccodecs_png_create(input, $0, buffer.count, Self.maxChunkBytes)
      }
    }
    guard let created = unsafe created else { throw .outOfMemory }
    unsafe handle = created
    if let cutImageData {
      unsafe ccodecs_png_shorten_chunk(
        created, Int64(cutImageData.offset), UInt32(cutImageData.length))
    }
    var header = unsafe ccodecs_png_header()
    try check(unsafe ccodecs_png_read_header(created, &header))
    unsafe coded = header
  }

  private func session() throws(DecodeFailure) -> OpaquePointer {
    guard let handle = unsafe handle else { throw .corrupt("the header was not read") }
    return unsafe handle
  }

  private func check(_ status: ccodecs_status) throws(DecodeFailure) {
    if status == ccodecs_ok { return }
    throw DecodeFailure(status, unsafe String(cString: ccodecs_png_message(try session())))
  }

  private func start() throws(DecodeFailure) -> ccodecs_png_rows {
    var rows = ccodecs_png_rows()
    try check(unsafe ccodecs_png_start(try session(), &rows))
    return rows
  }

  private func profile() -> [UInt8]? {
    guard let start = unsafe coded.profile else { return nil }
    return unsafe Array(UnsafeBufferPointer(start: start, count: coded.profile_bytes))
  }

  /// Why libpng gave no profile though there is one.
  private func profileTrouble() throws(DecodeFailure) -> String {
    let message = unsafe String(cString: ccodecs_png_profile_warning(try session()))
    return message.isEmpty
      ? "the profile is over \(EmbeddedProfile.largestProfile) bytes or cannot be read"
      : "the profile cannot be used: \(message)"
  }

  private var isPalette: Bool { unsafe coded.colour_type & 1 != 0 }
  private var isGray: Bool { unsafe coded.colour_type & 2 == 0 }
  private var hasAlpha: Bool { unsafe coded.colour_type & 4 != 0 || coded.has_transparency_chunk }
  private var size: PixelSize {
    unsafe PixelSize(width: Int(coded.width), height: Int(coded.height))
  }

  private func facts(_ chunks: PNGChunks, _ profile: [UInt8]?) -> PictureFacts {
    let space =
      chunks.colour.codedName(isGray: isGray) ?? profile.flatMap(ProfileName.read)
      ?? chunks.colour.name(isGray: isGray)
    let depth = unsafe isPalette ? 8 : Int(coded.bit_depth)
    return PictureFacts(
      format: .png, storedSize: size, orientation: chunks.orientation,
      frames: chunks.animation.frames, durationSeconds: chunks.animation.durationSeconds,
      hasAlpha: hasAlpha || chunks.animation.showsThrough(size), bitDepth: depth, colorSpace: space)
  }

  private func description(_ rows: ccodecs_png_rows) -> RasterDescription {
    let channels = Int(rows.channels)
    return RasterDescription(
      model: channels < 3 ? .gray : .rgb, hasAlpha: channels.isMultiple(of: 2),
      depth: rows.bit_depth == 16 ? .sixteen : .eight,
      planes: [RasterDescription.Plane(size: size, components: channels)])
  }

  private func decodeRowByRow<Sink: RowSink & ~Copyable>(
    _ rows: ccodecs_png_rows, _ description: RasterDescription, into sink: inout Sink
  ) throws(DecodeFailure) {
    let store = try PixelStore.allocate(rows: 1, bytesPerRow: rows.bytes)
    for _ in 0..<size.height {
      let status = unsafe ccodecs_png_read_row(try session(), store.row(0), false)
      if try !isHarmlessEnd(status) { try check(status) }
      try store.deliver(row: 0, description.depth, into: &sink)
    }
  }

  /// Whether the file ends only after the last row's samples, which is no loss.
  private func isHarmlessEnd(_ status: ccodecs_status) throws(DecodeFailure) -> Bool {
    status == ccodecs_ended ? unsafe ccodecs_png_has_all_rows(try session()) : false
  }

  private mutating func decodeInterlaced<Sink: RowSink & ~Copyable>(
    _ rows: ccodecs_png_rows, _ description: RasterDescription, into sink: inout Sink
  ) throws(DecodeFailure) {
    let store = try PixelStore.allocate(rows: size.height, bytesPerRow: rows.bytes)
    var visibleRows = size.height
    let end = try readPasses(rows, into: store, fillsBlocks: false)
    if end != nil {
      // Once more, so that each pixel that came stands for those around it that did not.
      try open()
      let end = try readPasses(try start(), into: store, fillsBlocks: true)
      if let end, end.pass == 0 { visibleRows = end.row }
    }
    for row in 0..<visibleRows { try store.deliver(row: row, description.depth, into: &sink) }
    if let end { throw .truncated("the data end in pass \(end.pass + 1) of \(rows.passes)") }
  }

  /// Where the data ended; nil where they did not.
  private func readPasses(
    _ rows: ccodecs_png_rows, into store: borrowing PixelStore, fillsBlocks: Bool
  ) throws(DecodeFailure) -> (pass: Int, row: Int)? {
    for pass in 0..<Int(rows.passes) {
      for row in 0..<size.height {
        let status = unsafe ccodecs_png_read_row(try session(), store.row(row), fillsBlocks)
        if status == ccodecs_ended { return try isHarmlessEnd(status) ? nil : (pass, row) }
        try check(status)
      }
    }
    return nil
  }
}
