internal import Imaging

/// What of an AIFF or AIFF-C file is its sound (AIFF 1.3, AIFF-C draft of 1991): names, authors,
/// annotations, comments, markers, MIDI, `ID3 ` and application data are left out.
struct AIFFChunks {
  private let file: SourceFile
  private static let kept: Set<String> = ["FVER", "COMM", "SSND", "CHAN"]

  init(_ file: SourceFile) {
    self.file = file
  }

  /// Fails for a file without sound, and for one that ends early.
  func copy() throws(DecodeFailure) -> CleanCopy {
    guard file.size >= 12,
      let form = try FileChunk(at: 0, below: file.size, isBigEndian: true, in: file)
    else { throw .truncated("the aiff file ends in its header") }
    let type = try file.bytes(at: 8, count: 4)
    let all = try FileChunk.all(in: 12..<file.size, isBigEndian: true, of: file)
    let chunks = all.filter { Self.kept.contains($0.name) }
    guard chunks.contains(where: { $0.name == "COMM" }),
      chunks.contains(where: { $0.name == "SSND" })
    else { throw .corrupt("the aiff file has no sound") }
    guard !chunks.contains(where: \.isCut) else {
      throw .truncated("the aiff file ends in its sound")
    }
    if chunks.count == all.count, !all.contains(where: \.isCut),
      form.declaredSize + FileChunk.headerBytes == file.size,
      all.last?.end(in: file.size) == file.size
    {
      var copy = CleanCopy()
      copy.append(.source(0..<file.size))
      return copy
    }
    return CleanCopy(
      form: "FORM", type: String(decoding: type, as: UTF8.self), chunks: chunks, isBigEndian: true)
  }
}
