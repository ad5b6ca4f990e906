internal import Imaging

/// What of an MP3 file is its sound: ID3v2 tags (id3v2.4.0-structure) before and behind it, ID3v1 with
/// its enhancement, APEv2 and Lyrics3 tags behind it are left out, and what lies between its frames.
struct MP3Tags {
  private let file: SourceFile
  /// Tags at one end of a file.
  private static let mostTags = 16

  init(_ file: SourceFile) {
    self.file = file
  }

  /// Fails for a file that is tags alone.
  func copy() throws(DecodeFailure) -> CleanCopy {
    let start = try soundStart()
    let end = try soundEnd(after: start)
    guard start < end else { throw .truncated("the mp3 file holds no sound") }
    var frames = MP3Frames(file, range: start..<end)
    return try frames.copy()
  }

  /// Behind the tags at the beginning, and the zeros that some of them do not count.
  private func soundStart() throws(DecodeFailure) -> Int {
    var start = 0
    for _ in 0..<Self.mostTags {
      if let length = try ID3Tag.length(at: start, in: file, marker: "ID3") {
        start = min(file.size, start + length)
      } else if let length = try apeLength(at: start) {
        start = min(file.size, start + length)
      } else {
        break
      }
    }
    guard start > 0 else { return 0 }
    while start < file.size {
      let bytes = try file.bytes(at: start, count: min(4096, file.size - start))
      let zeros = bytes.prefix { $0 == 0 }.count
      start += zeros
      if zeros < bytes.count { break }
    }
    return start
  }

  private func soundEnd(after start: Int) throws(DecodeFailure) -> Int {
    var end = file.size
    for _ in 0..<Self.mostTags {
      guard let length = try tagLength(before: end), length <= end - start else { break }
      end -= length
    }
    return end
  }

  /// The length of the tag that ends at an offset; nil where none does.
  private func tagLength(before end: Int) throws(DecodeFailure) -> Int? {
    if try holds("TAG", at: end - 128) {
      return try holds("TAG+", at: end - 128 - 227) ? 128 + 227 : 128
    }
    if try holds("APETAGEX", at: end - 32) { return try apeLength(before: end) }
    if try holds("LYRICS200", at: end - 9) { return try lyricsLength(before: end) }
    if try holds("LYRICSEND", at: end - 9) { return try oldLyricsLength(before: end) }
    return try ID3Tag.length(at: end - 10, in: file, marker: "3DI")
  }

  private func holds(_ text: String, at offset: Int) throws(DecodeFailure) -> Bool {
    guard offset >= 0, offset + text.utf8.count <= file.size else { return false }
    return try file.bytes(at: offset, count: text.utf8.count) == Array(text.utf8)
  }

  /// The whole length of an APEv2 tag by its header, or of the footer of one without; nil where there
  /// is none.
  func apeLength(at start: Int) throws(DecodeFailure) -> Int? {
    guard try holds("APETAGEX", at: start), start + 32 <= file.size else { return nil }
    let isHeader = try littleEndian(at: start + 20) >> 29 & 1 == 1
    return 32 + (isHeader ? try littleEndian(at: start + 12) : 0)
  }

  /// An APE tag by its footer: items and footer, and 32 bytes of header where bit 31 says so.
  private func apeLength(before end: Int) throws(DecodeFailure) -> Int {
    let size = try littleEndian(at: end - 20)
    return max(32, size) + (try littleEndian(at: end - 12) >> 31 == 1 ? 32 : 0)
  }

  private func littleEndian(at offset: Int) throws(DecodeFailure) -> Int {
    try file.bytes(at: offset, count: 4).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Lyrics3 v2.00: six digits of a size that counts neither them nor the end mark.
  private func lyricsLength(before end: Int) throws(DecodeFailure) -> Int? {
    guard end >= 15 else { return nil }
    let digits = String(decoding: try file.bytes(at: end - 15, count: 6), as: UTF8.self)
    return Int(digits).flatMap { $0 >= 0 ? $0 + 15 : nil }
  }

  /// Lyrics3 v1.00 tells no size: at most 5,100 bytes after its beginning mark.
  private func oldLyricsLength(before end: Int) throws(DecodeFailure) -> Int? {
    let window = max(0, end - 5120)
    let bytes = try file.bytes(at: window, count: end - window)
    let mark = Array("LYRICSBEGIN".utf8)
    for place in stride(from: bytes.count - mark.count, through: 0, by: -1)
    where bytes[place] == mark[0] && Array(bytes[place..<place + mark.count]) == mark {
      return bytes.count - place
    }
    return nil
  }
}

/// The outer form of ID3v2 tags.
enum ID3Tag {
  /// The whole length of a tag by its header (`ID3`) or footer (`3DI`) at an offset; nil where there
  /// is none (id3v2.4.0-structure §3.1, §3.4).
  static func length(
    at offset: Int, in file: SourceFile, marker: String
  ) throws(DecodeFailure) -> Int? {
    guard offset >= 0, offset + 10 <= file.size else { return nil }
    let header = try file.bytes(at: offset, count: 10)
    guard Array(header.prefix(3)) == Array(marker.utf8), header[3] != 0xFF, header[4] != 0xFF,
      header[6...].allSatisfy({ $0 < 0x80 })
    else { return nil }
    let size = header[6...].reduce(0) { $0 << 7 | Int($1) }
    return size + 10 + (header[5] & 0x10 == 0 && marker == "ID3" ? 0 : 10)
  }
}
