internal import Imaging

/// What of an AVI file is its film (RIFF MCI, OpenDML 1.02). Its indexes count from the file's start:
/// what is left out leaves its place, as `JUNK` of zeros.
struct AVIChunks {
  private let file: SourceFile
  private var kept = CleanCopy()
  private var done = 0

  /// The children that stay as they are, by their list; lists among them are gone through.
  private static let known: [String: Set<String>] = [
    "AVI ": ["hdrl", "movi", "idx1"], "AVIX": ["movi", "idx1"],
    "hdrl": ["avih", "strl", "odml"], "strl": ["strh", "strf", "indx", "vprp"],
    "odml": ["dmlh"],
  ]
  private static let deepest = 4

  init(_ file: SourceFile) {
    self.file = file
  }

  /// Fails for a file that is no AVI file, and for one that ends early.
  func copy() throws(DecodeFailure) -> CleanCopy {
    var walk = self
    for chunk in try FileChunk.all(in: 0..<file.size, isBigEndian: false, of: file) {
      guard chunk.name == "RIFF", chunk.body.count >= 4 else {
        guard chunk.start > 0 else { throw .corrupt("the avi file has no header") }
        walk.blank(chunk)
        continue
      }
      guard !chunk.isCut else { throw .truncated("the avi file ends in its film") }
      try walk.enter(chunk, depth: 0)
    }
    walk.keep(to: file.size)
    return walk.kept
  }

  private func type(of chunk: FileChunk) throws(DecodeFailure) -> String {
    guard chunk.name == "RIFF" || chunk.name == "LIST" else { return chunk.name }
    guard chunk.body.count >= 4 else { return "" }
    return String(
      decoding: try file.bytes(at: chunk.body.lowerBound, count: 4), as: UTF8.self)
  }

  private mutating func enter(_ list: FileChunk, depth: Int) throws(DecodeFailure) {
    guard depth < Self.deepest, let known = Self.known[try type(of: list)] else { return }
    let children = list.body.lowerBound + 4..<list.body.upperBound
    for child in try FileChunk.all(in: children, isBigEndian: false, of: file) {
      let type = try type(of: child)
      if known.contains(type) {
        if type != "movi" { try enter(child, depth: depth + 1) }
      } else if try !isBlank(child) {
        blank(child)
      }
    }
  }

  /// Whether a chunk is padding without contents; large ones are not looked at.
  private func isBlank(_ chunk: FileChunk) throws(DecodeFailure) -> Bool {
    guard chunk.name == "JUNK", chunk.body.count <= 64 << 10 else { return false }
    return try file.bytes(at: chunk.body.lowerBound, count: chunk.body.count).allSatisfy { $0 == 0 }
  }

  private mutating func blank(_ chunk: FileChunk) {
    keep(to: chunk.start)
    kept.append(.bytes(Array("JUNK".utf8)))
    kept.append(.source(chunk.start + 4..<chunk.body.lowerBound))
    kept.append(.zeros(chunk.body.count))
    done = chunk.body.upperBound
  }

  private mutating func keep(to end: Int) {
    guard done < end else { return }
    kept.append(.source(done..<end))
    done = end
  }
}
