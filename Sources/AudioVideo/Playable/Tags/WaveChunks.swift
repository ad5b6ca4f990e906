internal import Imaging

/// What of a WAVE file is its sound (RIFF MCI, EBU Tech 3285 and 3306): `LIST`, `bext`, `iXML`, `id3 `,
/// `_PMX` and whatever else writers add are left out.
struct WaveChunks {
  private let file: SourceFile
  private static let kept: Set<String> = ["fmt ", "fact", "data"]

  init(_ file: SourceFile) {
    self.file = file
  }

  /// Fails for a file without sound, and for one that ends early. One of the 64-bit forms becomes a
  /// RIFF file.
  func copy() throws(DecodeFailure) -> CleanCopy {
    guard let form = try FileChunk(at: 0, below: file.size, isBigEndian: false, in: file) else {
      throw .truncated("the wav file ends in its header")
    }
    let chunks = try soundChunks()
    guard chunks.contains(where: { $0.name == "fmt " }), let last = chunks.last else {
      throw .corrupt("the wav file has no format chunk")
    }
    let all = try FileChunk.all(in: 12..<max(12, file.size), isBigEndian: false, of: file)
    let isWhole =
      form.name == "RIFF" && form.declaredSize + FileChunk.headerBytes == last.end(in: file.size)
      && last.end(in: file.size) == file.size && all.count == chunks.count
      && !all.contains(where: \.isCut)
    if isWhole {
      var copy = CleanCopy()
      copy.append(.source(0..<file.size))
      return copy
    }
    return CleanCopy(form: "RIFF", type: "WAVE", chunks: chunks, isBigEndian: false)
  }

  private func soundChunks() throws(DecodeFailure) -> [FileChunk] {
    var (chunks, offset) = ([FileChunk](), 12)
    for _ in 0..<FileChunk.mostChunks {
      guard
        let chunk = try FileChunk(at: offset, below: file.size, isBigEndian: false, in: file)
      else { break }
      if chunk.name == "data" {
        chunks.append(try sized(chunk))
        return chunks
      }
      if Self.kept.contains(chunk.name) { chunks.append(chunk) }
      offset = chunk.end(in: file.size)
    }
    throw .truncated("the wav file has no sound")
  }

  /// The sound, to the file's end where its size was not known to the writer.
  private func sized(_ chunk: FileChunk) throws(DecodeFailure) -> FileChunk {
    guard !chunk.isCut else { throw .truncated("the wav file ends in its sound") }
    guard chunk.isOfUnknownSize else { return chunk }
    let rest = chunk.start + FileChunk.headerBytes..<file.size
    if chunk.declaredSize == 0,
      let next = try FileChunk(
        at: rest.lowerBound, below: file.size, isBigEndian: false, in: file), !next.isCut,
      next.name.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
    {
      return chunk
    }
    return FileChunk(chunk, body: try wide(rest))
  }

  /// The part that the 64-bit forms' own table of sizes tells.
  private func wide(_ rest: Range<Int>) throws(DecodeFailure) -> Range<Int> {
    guard
      let table = try FileChunk(at: 12, below: file.size, isBigEndian: false, in: file),
      table.name == "ds64", table.body.count >= 16
    else { return rest }
    let bytes = try file.bytes(at: table.body.lowerBound + 8, count: 8)
    let size = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard size > 0, size < UInt64(rest.count) else { return rest }
    return rest.lowerBound..<rest.lowerBound + Int(size)
  }
}

extension FileChunk {
  fileprivate init(_ chunk: FileChunk, body: Range<Int>) {
    name = chunk.name
    start = chunk.start
    declaredSize = body.count
    self.body = body
  }
}
