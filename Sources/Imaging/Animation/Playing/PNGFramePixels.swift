internal import CCodecShims
internal import Media

/// One frame of an animated PNG as a PNG of its own: libpng knows nothing of animation.
@safe struct PNGFramePixels: ~Copyable {
  private let session: OpaquePointer
  private let size: PixelSize

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private init(adopting session: OpaquePointer, size: PixelSize) {
    unsafe self.session = session
    self.size = size
  }

  deinit {
    unsafe ccodecs_png_destroy(session)
  }

  /// A session on the animation's header with the frame's size in it, the shared chunks, and the
  /// frame's data as one image data chunk.
  static func open(
    _ frame: PNGFrameReader.Frame, header: [UInt8], shared: [Range<Int>], input: Int32
  ) throws(DecodeFailure) -> PNGFramePixels {
    let size = frame.control.part.size
    let bytes = frame.data.reduce(0) { $0 + $1.count }
    guard header.count == 13, bytes <= Int(Int32.max) else { throw .corrupt("no PNG header") }
    let noSum: [UInt8] = [0, 0, 0, 0]
    let start =
      signature + chunkStart("IHDR", 13) + bigEndian(size.width) + bigEndian(size.height)
      + header[8...] + noSum
    let dataStart = chunkStart("IDAT", bytes)
    let end = noSum + chunkStart("IEND", 0) + noSum
    let place = { (skipped: Int, count: Int) in
      ccodecs_byte_range(offset: Int64(-1 - skipped), length: Int64(count))
    }
    let ranges =
      [place(0, start.count)] + shared.map(ccodecs_byte_range.init)
      + [place(start.count, dataStart.count)] + frame.data.map(ccodecs_byte_range.init)
      + [place(start.count + dataStart.count, end.count)]
    return try open(input, ranges, inserted: start + dataStart + end, size)
  }

  private static func open(
    _ input: Int32, _ ranges: [ccodecs_byte_range], inserted: [UInt8], _ size: PixelSize
  ) throws(DecodeFailure) -> PNGFramePixels {
    let session = unsafe ranges.withUnsafeBufferPointer { buffer in
      unsafe buffer.baseAddress.flatMap {
        unsafe ccodecs_png_create(input, $0, buffer.count, PNGDecoder.maxChunkBytes)
      }
    }
    guard let session = unsafe session else { throw .outOfMemory }
    let pixels = unsafe PNGFramePixels(adopting: session, size: size)
    guard unsafe ccodecs_png_insert(session, inserted, inserted.count) else { throw .outOfMemory }
    return pixels
  }

  private static func chunkStart(_ type: StaticString, _ length: Int) -> [UInt8] {
    bigEndian(length) + Array("\(type)".utf8)
  }

  private static func bigEndian(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

extension ccodecs_byte_range {
  fileprivate init(_ range: Range<Int>) {
    self.init(offset: Int64(range.lowerBound), length: Int64(range.count))
  }
}

extension PNGFramePixels {
  /// Delivers the frame's rows, eight bits of red, green, blue and alpha for each pixel. An interlaced
  /// frame is held whole before.
  func deliver(_ body: (_ row: Int, _ pixels: Span<UInt32>) -> Void) throws(DecodeFailure) {
    var header = unsafe ccodecs_png_header()
    try check(unsafe ccodecs_png_read_header(session, &header))
    var rows = ccodecs_png_rows()
    try check(unsafe ccodecs_png_start(session, &rows))
    let isInterlaced = rows.passes > 1
    let store = try PixelStore.allocate(
      rows: isInterlaced ? size.height : 1, bytesPerRow: rows.bytes)
    for _ in 0..<(isInterlaced ? Int(rows.passes) : 0) {
      for row in 0..<size.height { try read(row, into: store) }
    }
    var expanded = [UInt32](repeating: 0, count: size.width)
    for row in 0..<size.height {
      if !isInterlaced { try read(0, into: store) }
      unsafe Self.expand(store.row(isInterlaced ? row : 0), rows, into: &expanded)
      body(row, expanded.span)
    }
  }

  private func read(_ row: Int, into store: borrowing PixelStore) throws(DecodeFailure) {
    let status = unsafe ccodecs_png_read_row(session, store.row(row), false)
    // The file may be damaged behind the last row's samples, which is no loss.
    if status != ccodecs_ok, unsafe ccodecs_png_has_all_rows(session) { return }
    try check(status)
  }

  private func check(_ status: ccodecs_status) throws(DecodeFailure) {
    if status == ccodecs_ok { return }
    throw DecodeFailure(status, unsafe String(cString: ccodecs_png_message(session)))
  }

  /// - Safety: `samples` has a row of the kind that `rows` describes.
  @unsafe private static func expand(
    _ samples: UnsafeMutablePointer<UInt8>, _ rows: ccodecs_png_rows, into pixels: inout [UInt32]
  ) {
    let channels = Int(rows.channels)
    if rows.bit_depth == 16 { unsafe narrow(samples, count: pixels.count * channels) }
    for x in pixels.indices {
      let sample = unsafe samples + x * channels
      let first = unsafe UInt32(sample[0])
      let colour =
        channels < 3
        ? first * 0x01_0101 : unsafe first | UInt32(sample[1]) << 8 | UInt32(sample[2]) << 16
      let alpha =
        channels.isMultiple(of: 2) ? unsafe UInt32(sample[channels - 1]) : 255
      pixels[x] = colour | alpha << 24
    }
  }

  /// Rounds native 16-bit samples to eight bits, in place.
  ///
  /// - Safety: `samples` has twice as many bytes as samples.
  @unsafe private static func narrow(_ samples: UnsafeMutablePointer<UInt8>, count: Int) {
    let wide = UnsafeRawPointer(samples)
    for index in 0..<count {
      let sample = unsafe UInt32(wide.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self))
      unsafe samples[index] = UInt8((sample * 255 + 32_895) >> 16)
    }
  }
}
