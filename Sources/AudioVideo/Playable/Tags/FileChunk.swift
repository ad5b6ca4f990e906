internal import Imaging

/// A chunk of an IFF or RIFF file: four letters, a size of four bytes, the contents, and a byte of
/// padding after an odd number of them.
struct FileChunk {
  let name: String
  /// Where the header begins.
  let start: Int
  /// As far as the file goes.
  let body: Range<Int>
  /// As stated.
  let declaredSize: Int

  /// Where the next chunk begins: behind the padding, where the file holds that.
  func end(in limit: Int) -> Int { min(limit, body.upperBound + (body.count & 1)) }

  /// Whether the file ends before the chunk does.
  var isCut: Bool { body.count < declaredSize && !isOfUnknownSize }

  /// Whether the size is what a writer that cannot go back leaves in its place.
  var isOfUnknownSize: Bool { declaredSize == 0 || declaredSize == 0xFFFF_FFFF }

  static let headerBytes = 8
  /// Chunks that are looked at in one file.
  static let mostChunks = 10_000

  /// The chunk at an offset; nil where fewer bytes than a header are left.
  init?(
    at offset: Int, below limit: Int, isBigEndian: Bool, in file: SourceFile
  ) throws(DecodeFailure) {
    guard offset + Self.headerBytes <= limit else { return nil }
    let header = try file.bytes(at: offset, count: Self.headerBytes)
    self.init(at: offset, below: limit, header: header[...], isBigEndian: isBigEndian)
  }

  /// The chunk whose header was read already; nil where that is not whole.
  init?(
    at offset: Int, below limit: Int, header: ArraySlice<UInt8>, isBigEndian: Bool = false
  ) {
    guard header.count == Self.headerBytes, offset + Self.headerBytes <= limit else { return nil }
    name = String(decoding: header.prefix(4), as: UTF8.self)
    let digits = isBigEndian ? Array(header.suffix(4)) : header.suffix(4).reversed()
    declaredSize = digits.reduce(0) { $0 << 8 | Int($1) }
    start = offset
    let first = offset + Self.headerBytes
    body = first..<min(limit, first + declaredSize)
  }

  /// The chunks between two offsets, in order.
  static func all(
    in range: Range<Int>, isBigEndian: Bool, of file: SourceFile
  ) throws(DecodeFailure) -> [FileChunk] {
    var (chunks, offset) = ([FileChunk](), range.lowerBound)
    while chunks.count < mostChunks,
      let chunk = try FileChunk(
        at: offset, below: range.upperBound, isBigEndian: isBigEndian, in: file)
    {
      chunks.append(chunk)
      offset = chunk.end(in: range.upperBound)
    }
    return chunks
  }
}

extension FixedWidthInteger {
  /// The bytes of a size as chunks state it.
  func sizeBytes(isBigEndian: Bool) -> [UInt8] {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
    return isBigEndian ? bytes.reversed() : bytes
  }
}

extension CleanCopy {
  /// A form that holds these chunks of a file and no others, its sizes as they are.
  init(form: String, type: String, chunks: [FileChunk], isBigEndian: Bool) {
    self.init()
    let size = chunks.reduce(4) { $0 + FileChunk.headerBytes + $1.body.count + ($1.body.count & 1) }
    append(
      .bytes(Array(form.utf8) + size.sizeBytes(isBigEndian: isBigEndian) + Array(type.utf8)))
    for chunk in chunks {
      append(
        .bytes(Array(chunk.name.utf8) + chunk.body.count.sizeBytes(isBigEndian: isBigEndian)))
      append(.source(chunk.body))
      if chunk.body.count & 1 == 1 { append(.bytes([0])) }
    }
  }
}
