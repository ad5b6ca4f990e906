internal import Imaging
internal import Media

/// Whether an MP4 or QuickTime file is encrypted: an entry of its sample tables then has a name of its
/// own (ISO/IEC 14496-12 §8.12, ISO/IEC 23001-7; FairPlay: `drms`, `drmi`).
struct Encryption {
  private var window: SourceWindow

  private static let entries: Set<String> = ["encv", "enca", "drms", "drmi"]
  /// Boxes that lead to the entries; those of the table begin behind eight bytes.
  private static let path = ["moov", "trak", "mdia", "minf", "stbl", "stsd"]
  /// Boxes that are looked at on each level.
  private static let mostBoxes = 10_000

  static func covers(_ format: MediaFormat, _ file: SourceFile) throws(DecodeFailure) -> Bool {
    guard [.mp4, .mov, .m4a].contains(format) else { return false }
    var search = Encryption(window: SourceWindow(file))
    return try search.holdsEntry(in: 0..<file.size, depth: 0)
  }

  private mutating func holdsEntry(
    in range: Range<Int>, depth: Int
  ) throws(DecodeFailure) -> Bool {
    var offset = range.lowerBound
    for _ in 0..<Self.mostBoxes {
      guard let box = try box(at: offset, below: range.upperBound) else { return false }
      if depth == Self.path.count {
        if Self.entries.contains(box.name) { return true }
      } else if box.name == Self.path[depth] {
        let skipped = depth == Self.path.count - 1 ? 8 : 0
        let contents = min(box.body.upperBound, box.body.lowerBound + skipped)
        if try holdsEntry(in: contents..<box.body.upperBound, depth: depth + 1) { return true }
      }
      offset = box.body.upperBound
    }
    return false
  }

  /// Nil where none begins.
  private mutating func box(
    at offset: Int, below limit: Int
  ) throws(DecodeFailure) -> (name: String, body: Range<Int>)? {
    guard offset + 8 <= limit, var size = try window.bigEndian(at: offset, bytes: 4) else {
      return nil
    }
    let name = String(decoding: try window.bytes(at: offset + 4, count: 4), as: UTF8.self)
    var header = 8
    if size == 1 {
      guard let high = try window.bigEndian(at: offset + 8, bytes: 4), high == 0,
        let low = try window.bigEndian(at: offset + 12, bytes: 4)
      else { return nil }
      (size, header) = (low, 16)
    } else if size == 0 {
      size = limit - offset
    }
    guard size >= header, offset + header <= limit else { return nil }
    return (name, offset + header..<min(limit, offset + size))
  }
}
