/// What of a frame of Motion JPEG is no picture (ITU-T T.81 §B.2.4.5, B.2.4.6): comments and
/// application data, but for those by which the frame is decoded.
enum JPEGFrameTexts {
  /// The contents of such segments, their markers and lengths left out.
  static func ranges(in bytes: Span<UInt8>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var place = 0
    while place + 3 < bytes.count {
      guard bytes[place] == 0xFF, isSegment(bytes[place + 1]) else {
        place += 1
        continue
      }
      let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
      let end = min(bytes.count, place + 2 + max(2, length))
      let contents = place + 4..<max(place + 4, end)
      if isText(bytes[place + 1]), !isNeeded(bytes, contents) { ranges.append(contents) }
      place = end
    }
    return ranges
  }

  /// Markers that a length follows: not those of restarts, of a picture's beginning and end, nor what
  /// stands in coded data.
  private static func isSegment(_ marker: UInt8) -> Bool {
    (0xC0...0xFE).contains(marker) && !(0xD0...0xD9).contains(marker)
  }

  private static func isText(_ marker: UInt8) -> Bool {
    (0xE0...0xEF).contains(marker) || marker == 0xFE
  }

  /// Fields, chroma and the kind of components; nothing that stands behind them.
  private static func isNeeded(_ bytes: Span<UInt8>, _ contents: Range<Int>) -> Bool {
    guard contents.count <= 42 else { return false }
    return [("AVI1", 0), ("JFIF", 0), ("Adobe", 0), ("mjpg", 4)].contains { name, offset in
      let name = Array(name.utf8)
      return contents.count >= offset + name.count
        && name.indices.allSatisfy { bytes[contents.lowerBound + offset + $0] == name[$0] }
    }
  }
}
