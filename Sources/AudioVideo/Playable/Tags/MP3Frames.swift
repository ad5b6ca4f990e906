internal import Imaging
internal import Media

/// The frames of an MP3 file, and nothing of what lies between them: in files that were joined, the
/// tags of all but the first and the last, whatever their kind.
struct MP3Frames {
  private let file: SourceFile
  private let range: Range<Int>
  private var window: SourceWindow
  private var kept = CleanCopy()
  /// The stream of the frame that ends where the walk stands; nil where none does.
  private var stream: Int?

  /// What tags begin with, in which a frame that was cut may end.
  private static let marks = ["ID3", "APETAGEX", "TAG", "LYRICSBEGIN"].map { Array($0.utf8) }

  init(_ file: SourceFile, range: Range<Int>) {
    self.file = file
    self.range = range
    window = SourceWindow(file)
  }

  /// Fails where there is no frame.
  mutating func copy() throws(DecodeFailure) -> CleanCopy {
    var offset = range.lowerBound
    while offset < range.upperBound {
      if let length = try tagLength(at: offset) {
        (offset, stream) = (offset + length, nil)
      } else if let frame = try frame(at: offset), let next = try end(of: frame, at: offset) {
        kept.append(.source(offset..<next))
        (offset, stream) = (next, frame.stream)
      } else {
        (offset, stream) = (try placeToGoOn(after: offset), nil)
      }
    }
    guard !kept.pieces.isEmpty else { throw .corrupt("the mp3 file holds no frame") }
    return kept
  }

  private mutating func frame(at offset: Int) throws(DecodeFailure) -> MPEGAudioFrame? {
    guard offset + 4 <= range.upperBound else { return nil }
    let header = Array(try window.bytes(at: offset, count: 4))
    return MPEGAudioFrame(at: 0, in: header.span)
  }

  /// Where a frame ends; nil for what only looks like one, and for one that a tag breaks off.
  private mutating func end(
    of frame: MPEGAudioFrame, at offset: Int
  ) throws(DecodeFailure) -> Int? {
    let next = min(range.upperBound, offset + frame.length)
    if offset + frame.length == range.upperBound { return next }
    if next < range.upperBound {
      if let follower = try self.frame(at: next), try belongs(follower, at: next, to: frame) {
        return next
      }
      if try tagLength(at: next) != nil { return next }
    }
    // Its own place speaks for it, behind a frame of its stream, unless a tag begins in its midst.
    guard stream == frame.stream else { return nil }
    return try holdsMark(offset..<next) ? nil : next
  }

  private mutating func belongs(
    _ frame: MPEGAudioFrame, at offset: Int, to other: MPEGAudioFrame
  ) throws(DecodeFailure) -> Bool {
    // Sound of another rate may be joined to this.
    frame.stream == other.stream ? true : try beginsStream(frame, at: offset)
  }

  private mutating func holdsMark(_ part: Range<Int>) throws(DecodeFailure) -> Bool {
    let bytes = Array(try window.bytes(at: part.lowerBound, count: part.count))
    return Self.marks.contains { mark in
      bytes.indices.dropLast(mark.count - 1).contains { place in
        bytes[place] == mark[0] && bytes[place..<place + mark.count].elementsEqual(mark)
      }
    }
  }

  /// The whole length of a tag that lies within the sound; nil where there is none.
  private mutating func tagLength(at offset: Int) throws(DecodeFailure) -> Int? {
    let first = try window.bytes(at: offset, count: 1).first
    guard first == 0x49 || first == 0x41 else { return nil }
    let length =
      first == 0x49
      ? try ID3Tag.length(at: offset, in: file, marker: "ID3")
      : try MP3Tags(file).apeLength(at: offset)
    return length.flatMap { $0 <= range.upperBound - offset ? $0 : nil }
  }

  /// The next tag, or the next two frames in a row, behind an offset; the end where there are none.
  private mutating func placeToGoOn(after offset: Int) throws(DecodeFailure) -> Int {
    var place = offset + 1
    while place < range.upperBound {
      let bytes = try window.some(of: place..<range.upperBound)
      guard let found = bytes.firstIndex(where: { $0 == 0xFF || $0 == 0x49 || $0 == 0x41 }) else {
        place += bytes.count
        continue
      }
      place += found - bytes.startIndex
      if try tagLength(at: place) != nil { return place }
      if let frame = try frame(at: place), try beginsStream(frame, at: place) { return place }
      place += 1
    }
    return range.upperBound
  }

  private mutating func beginsStream(
    _ frame: MPEGAudioFrame, at offset: Int
  ) throws(DecodeFailure) -> Bool {
    let next = offset + frame.length
    if next == range.upperBound { return true }
    return try self.frame(at: next)?.stream == frame.stream
  }
}
