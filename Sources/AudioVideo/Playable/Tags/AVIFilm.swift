internal import Imaging

/// The chunks of an AVI file's `movi` list: packets of its streams, their indexes, and whatever cameras
/// put between them, places among it.
struct AVIFilm {
  private let file: SourceFile
  private let streams: [AVIStream]
  private var window: SourceWindow

  /// What packets of film and sound are named behind their stream's number (RIFF MCI): whole frames,
  /// compressed ones, changes of the palette, sound.
  private static let packets: Set<String> = ["db", "dc", "pc", "wb", "iv", "__"]

  init(_ file: SourceFile, streams: [AVIStream]) {
    self.file = file
    self.streams = streams
    window = SourceWindow(file)
  }

  private enum Kind {
    case packet(AVIStream)
    case index
    /// A group of packets that are read at once: its header.
    case group
    case padding
    case foreign
  }

  /// Overwrites what is neither a packet of film or sound nor an index. Packets of other streams keep
  /// their names, which indexes count, and lose their contents.
  mutating func clean(
    _ range: Range<Int>, patches: inout FilePatches
  ) throws(DecodeFailure) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      guard let (kind, chunk) = try chunk(at: offset, below: range.upperBound) else {
        let next = try placeToGoOn(after: offset, below: range.upperBound)
        try patches.erase(offset..<next, in: &window)
        offset = next
        continue
      }
      switch kind {
      case .packet(.film(let texts)): try cleanFrame(chunk, texts, &patches)
      case .packet(.sound), .index: break
      case .packet(.other), .padding: try patches.erase(chunk.body, in: &window)
      case .foreign: patches.blank(chunk)
      case .group:
        offset += FileChunk.headerBytes + 4
        continue
      }
      offset = try end(of: chunk, below: range.upperBound)
    }
  }

  /// Behind the padding; writers that leave that out are known by what follows.
  private mutating func end(
    of chunk: FileChunk, below limit: Int
  ) throws(DecodeFailure) -> Int {
    let padded = chunk.end(in: limit)
    guard padded > chunk.body.upperBound, padded < limit,
      try self.chunk(at: padded, below: limit) == nil,
      try self.chunk(at: chunk.body.upperBound, below: limit) != nil
    else { return padded }
    return chunk.body.upperBound
  }

  /// Nil where nothing has the form of a chunk.
  private mutating func chunk(
    at offset: Int, below limit: Int
  ) throws(DecodeFailure) -> (Kind, FileChunk)? {
    guard
      let chunk = FileChunk(
        at: offset, below: limit, header: try window.bytes(at: offset, count: 8)),
      let kind = try kind(of: chunk)
    else { return nil }
    switch kind {
    case .packet, .group: return (kind, chunk)
    default: return chunk.isCut ? nil : (kind, chunk)
    }
  }

  private mutating func kind(of chunk: FileChunk) throws(DecodeFailure) -> Kind? {
    let name = Array(chunk.name.utf8)
    guard name.count == 4, name.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    switch chunk.name {
    case "JUNK": return .padding
    case "LIST":
      let type = try window.bytes(at: chunk.body.lowerBound, count: 4)
      return type.elementsEqual("rec ".utf8) ? .group : .foreign
    case let text where text.hasPrefix("ix") && Int(text.suffix(2)) != nil: return .index
    case let text:
      guard let stream = Int(text.prefix(2)), streams.indices.contains(stream) else {
        return .foreign
      }
      if case .other = streams[stream] { return .packet(.other) }
      return Self.packets.contains(String(text.suffix(2))) ? .packet(streams[stream]) : .foreign
    }
  }

  /// The next packet or index behind an offset, as players find it.
  private mutating func placeToGoOn(
    after offset: Int, below limit: Int
  ) throws(DecodeFailure) -> Int {
    var place = offset + 1
    while place < limit {
      let bytes = try window.some(of: place..<limit)
      guard let found = bytes.firstIndex(where: { (0x30...0x39).contains($0) || $0 == 0x69 }) else {
        place += bytes.count
        continue
      }
      place += found - bytes.startIndex
      switch try chunk(at: place, below: limit)?.0 {
      case .packet, .index: return place
      default: place += 1
      }
    }
    return limit
  }

  /// Motion JPEG is made of whole JPEG files, each with what its camera writes.
  private mutating func cleanFrame(
    _ chunk: FileChunk, _ texts: SupplementalTexts?, _ patches: inout FilePatches
  ) throws(DecodeFailure) {
    let start = chunk.body.lowerBound
    let isJPEG = try window.bytes(at: start, count: 2).elementsEqual([0xFF, 0xD8])
    guard isJPEG || texts != nil else { return }
    let bytes = try file.bytes(at: start, count: chunk.body.count)
    if let texts {
      for place in texts.places(in: bytes.span) {
        patches.fill(start + place..<start + place + 1, with: SupplementalTexts.filler)
      }
      return
    }
    for text in JPEGFrameTexts.ranges(in: bytes.span) {
      try patches.erase(start + text.lowerBound..<start + text.upperBound, in: &window)
    }
  }
}
