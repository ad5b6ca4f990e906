internal import CCodecShims
package import Media

/// A JPEG decoder: header facts, DCT scaling, rows in YCbCr planes where the file has them.
/// The C library is libjpeg-turbo.
@safe package struct JPEGDecoder: ~Copyable {
  private let input: Int32
  /// Nil when memory was short.
  private let handle: OpaquePointer?
  private var coded = ccodecs_jpeg_header()
  /// Whether the bytes are those of a thumbnail, which has its metadata from the picture around it.
  private let isEmbedded: Bool
  private let use: ScanUse
  /// Whether scans were left out that a decode with more time would have read.
  package private(set) var wasHurried = false

  /// Scans a progressive picture may have. Encoders write 10 to 12 and elaborate scripts some dozens;
  /// each is a pass over all coefficients, which a few bytes can ask for.
  private static let maxScans = 200

  /// Adopts nothing but the number: `input` is read by offset and stays its owner's.
  package init(input: Int32, use: ScanUse = .enough(time: nil)) {
    self.input = input
    self.use = use
    isEmbedded = false
    unsafe handle = ccodecs_jpeg_create(input, 0, .max)
  }

  /// The same for a JPEG file within another.
  package init(input: Int32, part: Range<Int>) {
    self.input = input
    use = .enough(time: nil)
    isEmbedded = true
    unsafe handle = ccodecs_jpeg_create(input, Int64(part.lowerBound), Int64(part.upperBound))
  }

  deinit {
    if let handle = unsafe handle { unsafe ccodecs_jpeg_destroy(handle) }
  }
}

extension JPEGDecoder: PictureDecoder {
  package mutating func readHeader(
    _ limits: DecodeLimits
  ) throws(DecodeFailure) -> PictureHeader {
    let session = try session()
    var header = ccodecs_jpeg_header()
    try session.check(unsafe ccodecs_jpeg_read_header(session.handle, &header))
    coded = header
    let size = PixelSize(width: Int(coded.width), height: Int(coded.height))
    try size.check(against: limits)
    guard !coded.arithmetic else { throw .unsupported("arithmetic-coded JPEG") }
    let metadata = try isEmbedded ? JPEGMetadata() : JPEGMetadata.read(input)
    let codedSpace = try colorSpaceName()
    let name = metadata.iccProfile.map { ProfileName.read($0) ?? codedSpace }
    let facts = PictureFacts(
      format: .jpeg, storedSize: size, orientation: metadata.orientation,
      colorSpace: name ?? codedSpace)
    return PictureHeader(
      facts: facts, iccProfile: metadata.iccProfile, brokenProfile: metadata.brokenProfile)
  }

  package mutating func decode<Sink: RowSink & ~Copyable>(
    needed: PixelSize?, into sink: inout Sink
  ) throws(DecodeFailure) {
    let session = try session()
    let output = try output()
    defer { unsafe ccodecs_jpeg_release(session.handle) }
    let eighths = scale(for: needed)
    try session.check(unsafe ccodecs_jpeg_start(session.handle, Int32(eighths), output))
    let strips = JPEGStrips(session, inverted: output == ccodecs_jpeg_output_cmyk)
    let visibleRows = try coded.multiple_scans ? absorbScans(session, eighths: eighths) : nil
    try sink.begin(strips.description(output))
    try strips.deliver(into: &sink, visibleRows: visibleRows)
  }
}

extension JPEGDecoder {
  /// Once the header was read.
  var hasSeveralScans: Bool { coded.multiple_scans }

  private borrowing func session() throws(DecodeFailure) -> JPEGSession {
    guard let handle = unsafe handle else { throw .outOfMemory }
    return unsafe JPEGSession(handle)
  }

  private func colorSpaceName() throws(DecodeFailure) -> String {
    switch coded.colour {
    case ccodecs_jpeg_gray: "gray"
    case ccodecs_jpeg_rgb, ccodecs_jpeg_ycbcr: "sRGB"
    case ccodecs_jpeg_cmyk: "CMYK"
    case ccodecs_jpeg_ycck: "YCCK"
    default: throw .unsupported("JPEG with \(coded.components) components")
    }
  }

  /// Planes where the library can give them at the picture's density; else its own conversion.
  private func output() throws(DecodeFailure) -> ccodecs_jpeg_output {
    switch coded.colour {
    case ccodecs_jpeg_gray: ccodecs_jpeg_output_gray
    case ccodecs_jpeg_rgb: ccodecs_jpeg_output_rgb
    case ccodecs_jpeg_ycbcr:
      coded.first_component_is_full ? ccodecs_jpeg_output_planes : ccodecs_jpeg_output_rgb
    case ccodecs_jpeg_cmyk, ccodecs_jpeg_ycck: ccodecs_jpeg_output_cmyk
    default: throw .unsupported("JPEG with \(coded.components) components")
    }
  }

  private func scale(for needed: PixelSize?) -> Int {
    JPEGScale.eighths(
      of: PixelSize(width: Int(coded.width), height: Int(coded.height)), needed: needed)
  }

  /// Reads the scans of a picture that has several, and stops early where the rest cannot change
  /// what is delivered visibly, or would take too long and change it by one bit. The rows with
  /// data, when the file ends before its picture; else nil.
  private mutating func absorbScans(
    _ session: JPEGSession, eighths: Int
  ) throws(DecodeFailure) -> Int? {
    var covered = false
    let pace = ScanPace(use, bytes: try InputReader(input).size)
    while true {
      var atEnd = false
      try session.check(unsafe ccodecs_jpeg_absorb_scan(session.handle, &atEnd))
      let scans = session.scans
      guard scans <= Self.maxScans else {
        throw .corrupt("more than \(Self.maxScans) scans")
      }
      if let lossRow = session.lossRow {
        return try start(session, covered ? .max : session.isCovered ? lossRow : 0)
      }
      covered = session.isCovered
      if atEnd { return try start(session, session.visibleRowsAtEnd) }
      if use == .coarsest, covered { return try start(session, nil) }
      guard use != .all else { continue }
      let precision = session.precision(isScaledDown: eighths < 8)
      if precision.suffices() { return try start(session, nil, smooths: false) }
      if precision.suffices(inHurry: true), pace.presses(session.bytesRead) {
        wasHurried = true
        return try start(session, nil, smooths: false)
      }
    }
  }

  /// Smooths the blocks of scans that are missing, lost or never written, as browsers do.
  private func start(
    _ session: JPEGSession, _ visibleRows: Int?, smooths: Bool = true
  ) throws(DecodeFailure) -> Int? {
    try session.check(unsafe ccodecs_jpeg_start_output(session.handle, smooths))
    return visibleRows
  }
}
