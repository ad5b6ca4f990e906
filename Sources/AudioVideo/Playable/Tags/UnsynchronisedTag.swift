internal import Imaging

/// An ID3v2.2 or 2.3 tag that is unsynchronised as a whole: its frames' sizes count the bytes as they
/// were before (id3v2.3.0 §5), which libavformat takes for bytes of the file.
struct UnsynchronisedTag {
  private let version: UInt8
  private let hasExtendedHeader: Bool
  private let frames: [UInt8]

  /// Tags that are read at most, in bytes.
  private static let longest = 16 << 20

  /// Nil where a file begins with no such tag.
  init?(_ file: SourceFile) throws(DecodeFailure) {
    guard let length = try ID3Tag.length(at: 0, in: file, marker: "ID3") else { return nil }
    let header = try file.bytes(at: 0, count: 10)
    guard header[3] < 4, header[5] & 0x80 != 0, length <= min(Self.longest, file.size) else {
      return nil
    }
    version = header[3]
    hasExtendedHeader = version == 3 && header[5] & 0x40 != 0
    let body = try file.bytes(at: 10, count: length - 10)
    frames = body.indices.compactMap { index in
      let isInserted = body[index] == 0 && index > 0 && body[index - 1] == 0xFF
      return isInserted ? nil : body[index]
    }
  }

  /// Its size counts what follows the size.
  private var extendedHeaderBytes: Int {
    hasExtendedHeader ? 4 + frames.prefix(4).reduce(0) { $0 << 8 | Int($1) } : 0
  }

  /// The picture of the first frame that holds one.
  func cover() -> [UInt8]? {
    let (nameBytes, headerBytes) = version == 2 ? (3, 6) : (4, 10)
    var offset = extendedHeaderBytes
    while offset + headerBytes <= frames.count, frames[offset] != 0 {
      let name = String(decoding: frames[offset..<offset + nameBytes], as: UTF8.self)
      let size = frames[offset + nameBytes..<offset + 2 * nameBytes].reduce(0) { $0 << 8 | Int($1) }
      let start = offset + headerBytes
      let (end, overflow) = start.addingReportingOverflow(size)
      guard !overflow, end <= frames.count else { return nil }
      if name == "PIC" || name == "APIC" { return picture(frames[start..<end]) }
      offset = end
    }
    return nil
  }

  /// What follows encoding, format, kind and description.
  private func picture(_ contents: ArraySlice<UInt8>) -> [UInt8]? {
    guard let encoding = contents.first else { return nil }
    var rest = contents.dropFirst()
    if version == 2 {
      rest = rest.dropFirst(3)
    } else {
      guard let end = rest.firstIndex(of: 0) else { return nil }
      rest = rest[(end + 1)...]
    }
    rest = rest.dropFirst()
    // UTF-16 ends with two zeros in step.
    let step = encoding == 1 || encoding == 2 ? 2 : 1
    while rest.count >= step {
      let isEnd = rest.prefix(step).allSatisfy { $0 == 0 }
      rest = rest.dropFirst(step)
      if isEnd { return Array(rest) }
    }
    return nil
  }
}
