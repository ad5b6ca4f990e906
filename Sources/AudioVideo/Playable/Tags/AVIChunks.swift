internal import Imaging

/// What of an AVI file is its film (RIFF MCI, OpenDML 1.02). Its indexes count from the file's start:
/// what is left out leaves its place, as `JUNK` of zeros.
struct AVIChunks {
  private let file: SourceFile
  private var window: SourceWindow
  private var patches = FilePatches()
  private var streams: [AVIStream] = []

  /// The children that stay as they are, by their list; lists among them are gone through.
  private static let known: [String: Set<String>] = [
    "AVI ": ["hdrl", "movi", "idx1"], "AVIX": ["movi", "idx1"],
    "hdrl": ["avih", "strl", "odml"], "strl": ["strh", "strf", "indx", "vprp"],
    "odml": ["dmlh"],
  ]
  private static let deepest = 4

  init(_ file: SourceFile) {
    self.file = file
    window = SourceWindow(file)
  }

  /// Fails for a file that is no AVI file, and for one that ends early.
  func copy() throws(DecodeFailure) -> CleanCopy {
    var walk = self
    var end = 0
    for chunk in try FileChunk.all(in: 0..<file.size, isBigEndian: false, of: file) {
      end = chunk.end(in: file.size)
      guard chunk.name == "RIFF", chunk.body.count >= 4 else {
        guard chunk.start > 0 else { throw .corrupt("the avi file has no header") }
        walk.blank(chunk)
        continue
      }
      guard !chunk.isCut else { throw .truncated("the avi file ends in its film") }
      try walk.enter(chunk, depth: 0)
    }
    walk.patches.fill(end..<file.size)
    return walk.patches.copy(of: file)
  }

  private func type(of chunk: FileChunk) throws(DecodeFailure) -> String {
    guard chunk.name == "RIFF" || chunk.name == "LIST" else { return chunk.name }
    guard chunk.body.count >= 4 else { throw .corrupt("the avi file has a list without a name") }
    return String(
      decoding: try file.bytes(at: chunk.body.lowerBound, count: 4), as: UTF8.self)
  }

  private mutating func enter(_ list: FileChunk, depth: Int) throws(DecodeFailure) {
    let name = try type(of: list)
    guard depth < Self.deepest, let known = Self.known[name] else { return }
    if name == "strl" { streams.append(.other) }
    let children = list.body.lowerBound + 4..<list.body.upperBound
    var end = children.lowerBound
    for child in try FileChunk.all(in: children, isBigEndian: false, of: file) {
      end = child.end(in: children.upperBound)
      try take(child, known: known, depth: depth)
    }
    try patches.erase(end..<children.upperBound, in: &window)
  }

  private mutating func take(
    _ chunk: FileChunk, known: Set<String>, depth: Int
  ) throws(DecodeFailure) {
    switch try type(of: chunk) {
    case "movi":
      guard known.contains("movi") else { return blank(chunk) }
      let chunks = chunk.body.lowerBound + 4..<chunk.body.upperBound
      var film = AVIFilm(file, streams: streams)
      try film.clean(chunks, patches: &patches)
    case "strh" where known.contains("strh"):
      streams.removeLast()
      streams.append(try AVIStream(chunk, in: file))
    case "strf" where known.contains("strf"):
      if let stream = streams.popLast() {
        streams.append(try stream.described(by: chunk, in: file))
      }
    case let type where known.contains(type): try enter(chunk, depth: depth + 1)
    case "JUNK": try patches.erase(chunk.body, in: &window)
    default: blank(chunk)
    }
  }

  private mutating func blank(_ chunk: FileChunk) {
    patches.blank(chunk)
  }
}

/// What a stream of an AVI file holds, by its header.
enum AVIStream {
  /// With how to find texts within its frames, where their coding has a place for such.
  case film(SupplementalTexts?)
  case sound
  /// Texts, MIDI, data.
  case other

  /// From the `strh` chunk.
  init(_ header: FileChunk, in file: SourceFile) throws(DecodeFailure) {
    let type = try file.bytes(at: header.body.lowerBound, count: min(4, header.body.count))
    switch String(decoding: type, as: UTF8.self) {
    case "vids", "iavs": self = .film(nil)
    case "auds": self = .sound
    default: self = .other
    }
  }

  /// The same with what the `strf` chunk tells of a film's coding.
  func described(by format: FileChunk, in file: SourceFile) throws(DecodeFailure) -> AVIStream {
    guard case .film = self, format.body.count >= 20 else { return self }
    let code = try file.bytes(at: format.body.lowerBound + 16, count: 4)
    switch String(decoding: code, as: UTF8.self).uppercased() {
    case "H264", "X264", "AVC1", "DAVC", "VSSH":
      return .film(SupplementalTexts(isHEVC: false, framing: .startCodes))
    case "HEVC", "HVC1", "HEV1", "H265", "X265":
      return .film(SupplementalTexts(isHEVC: true, framing: .startCodes))
    default: return self
    }
  }
}

extension FilePatches {
  /// Makes padding of a chunk.
  mutating func blank(_ chunk: FileChunk) {
    put(Array("JUNK".utf8), at: chunk.start)
    fill(chunk.body)
  }
}
