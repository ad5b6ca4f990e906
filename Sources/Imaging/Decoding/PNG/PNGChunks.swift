internal import CCodecShims
internal import Media

/// What a walk over the chunks of a PNG tells (PNG third edition, section 5 and 11), and which of
/// them libpng is to see: it never meets text, suggested palettes and the like, which may inflate
/// to anything.
struct PNGChunks {
  /// The signature and the chunks that pixels and the profile need, in file order.
  private(set) var visible: [ccodecs_byte_range] = []
  private(set) var orientation = Orientation.up
  private(set) var thumbnail: EmbeddedJPEG?
  private(set) var colour = PNGColour()
  private(set) var animation = PNGAnimation()
  /// Whether there is a profile chunk; libpng keeps what is wrong with it to itself.
  private(set) var hasProfile = false
  /// Whether the walk came to the end chunk.
  private(set) var isWhole = false

  /// The image data chunk that the file's end cuts: where it begins, and what payload there is.
  private(set) var cutImageData: (offset: Int, length: Int)?

  private static let maxRanges = 65_536
  private static let maxExifBytes = 65_536

  private struct Chunk {
    var type: [UInt8]
    var payload: Range<Int>
    /// Length, type and check sum included.
    var whole: Range<Int>
  }

  private var sawImageData = false
  private var imageDataEnded = false

  /// Walks the whole file. A chunk that does not end in the file ends the walk; what there is of
  /// image data remains visible.
  static func read(
    _ reader: inout InputReader, _ limits: DecodeLimits
  ) throws(DecodeFailure) -> PNGChunks {
    guard let signature = try reader.bytes(at: 0, count: 8), signature == Self.signature else {
      throw .corrupt("no PNG signature")
    }
    var chunks = PNGChunks()
    chunks.visible.append(ccodecs_byte_range(offset: 0, length: 8))
    var offset = 8
    while let chunk = try next(&reader, at: offset) {
      let isWhole = chunk.whole.upperBound <= reader.size
      if offset == 8 { try checkHeader(chunk, &reader, limits) }
      try chunks.take(chunk, isWhole: isWhole, &reader)
      if isWhole, chunk.type.matches("IEND") { chunks.isWhole = true }
      if !isWhole || chunk.type.matches("IEND") { break }
      offset = chunk.whole.upperBound
    }
    return chunks
  }

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private static func next(
    _ reader: inout InputReader, at offset: Int
  ) throws(DecodeFailure) -> Chunk? {
    guard let length = try reader.unsigned(at: offset, bytes: 4, .big), length <= Int(Int32.max)
    else { return nil }
    var type: [UInt8] = []
    for index in 4..<8 {
      guard let byte = try reader.byte(at: offset + index) else { return nil }
      type.append(byte)
    }
    let payload = (offset + 8)..<(offset + 8 + length)
    return Chunk(type: type, payload: payload, whole: offset..<(payload.upperBound + 4))
  }

  /// Checks the declared size before the library is asked.
  private static func checkHeader(
    _ chunk: Chunk, _ reader: inout InputReader, _ limits: DecodeLimits
  ) throws(DecodeFailure) {
    if chunk.type.matches("CgBI") {
      throw .unsupported("Apple's CgBI variant of PNG, which only its own tools read")
    }
    guard chunk.type.matches("IHDR"), chunk.payload.count == 13 else {
      throw .corrupt("the first chunk is not a PNG header")
    }
    let start = chunk.payload.lowerBound
    guard let width = try reader.unsigned(at: start, bytes: 4, .big),
      let height = try reader.unsigned(at: start + 4, bytes: 4, .big)
    else { throw .truncated("the file ends in its header") }
    try PixelSize(width: width, height: height).check(against: limits)
  }

  private mutating func take(
    _ chunk: Chunk, isWhole: Bool, _ reader: inout InputReader
  ) throws(DecodeFailure) {
    let name = String(decoding: chunk.type, as: UTF8.self)
    if sawImageData, name != "IDAT" { imageDataEnded = true }
    switch name {
    case "IHDR", "PLTE", "IEND", "tRNS": try show(chunk, reader)
    case "IDAT":
      sawImageData = true
      try show(chunk, reader)
      let available = reader.size - chunk.payload.lowerBound
      if available < chunk.payload.count { cutImageData = (chunk.whole.lowerBound, available) }
    case "iCCP":
      if !sawImageData { hasProfile = true }
      if chunk.payload.count <= EmbeddedProfile.largestProfile { try show(chunk, reader) }
    default:
      guard isWhole else { return }
      try note(name, chunk, reader)
    }
  }

  private mutating func note(
    _ name: String, _ chunk: Chunk, _ reader: InputReader
  ) throws(DecodeFailure) {
    switch name {
    case "eXIf": try takeExif(chunk.payload, reader)
    case "gAMA", "cHRM", "sRGB", "cICP":
      guard !sawImageData, let bytes = try payload(chunk, reader) else { return }
      colour.take(name, bytes)
    case "acTL", "fcTL":
      guard let bytes = try payload(chunk, reader) else { return }
      animation.take(name, bytes, beforeImageData: !sawImageData)
    default:
      let isCritical = chunk.type[0] & 0x20 == 0
      if isCritical, !imageDataEnded { throw .corrupt("an unknown critical PNG chunk: \(name)") }
    }
  }

  /// The payload of a chunk whose kinds are all small.
  private func payload(_ chunk: Chunk, _ reader: InputReader) throws(DecodeFailure) -> [UInt8]? {
    guard chunk.payload.count <= 64 else { return nil }
    return try reader.bytes(at: chunk.payload.lowerBound, count: chunk.payload.count)
  }

  private mutating func takeExif(
    _ payload: Range<Int>, _ reader: InputReader
  ) throws(DecodeFailure) {
    let count = min(payload.count, Self.maxExifBytes)
    guard let bytes = try reader.bytes(at: payload.lowerBound, count: count) else { return }
    thumbnail = EmbeddedJPEG(exif: bytes, at: payload.lowerBound)
    orientation = Orientation(exif: bytes.matches("Exif\0\0") ? Array(bytes.dropFirst(6)) : bytes)
  }

  /// Adds what there is of a chunk, joined to the range before where they touch.
  private mutating func show(_ chunk: Chunk, _ reader: InputReader) throws(DecodeFailure) {
    let start = Int64(chunk.whole.lowerBound)
    let end = Int64(min(chunk.whole.upperBound, reader.size))
    if let last = visible.last, last.offset + last.length == start {
      visible[visible.count - 1].length += end - start
      return
    }
    guard visible.count < Self.maxRanges else { throw .corrupt("more chunks than any picture has") }
    visible.append(ccodecs_byte_range(offset: start, length: end - start))
  }
}
