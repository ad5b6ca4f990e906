internal import Imaging

/// Which embedded pictures libavformat is not shown: it makes a stream of each, and gives a file up
/// whose streams are too many, though one cover is all that is wanted.
struct SurplusCovers {
  /// Pictures that it is shown: of the first few, one that is no picture may be passed over.
  static let mostShown = 16
  /// Boxes or frames that are looked at for them.
  private static let mostSteps = 100_000
  /// What stands for a name's first byte: no box, and in ID3v2 no frame, has such a name.
  static let mark = UInt8(ascii: "X")

  private let file: SourceFile
  private var shown = 0
  private var steps = 0
  /// Where the names of the others begin, in rising order.
  private(set) var names: [Int] = []

  private init(_ file: SourceFile) {
    self.file = file
  }

  /// The places in a file that begins with ID3v2 tags, or consists of boxes (MP4, M4A, QuickTime).
  static func names(in file: SourceFile) throws(DecodeFailure) -> [Int] {
    var covers = SurplusCovers(file)
    let start = try covers.walkTags()
    if start == 0 { try covers.walkBoxes(0..<file.size, of: .file) }
    return covers.names
  }

  private mutating func meet(_ name: Int) {
    shown += 1
    if shown > Self.mostShown { names.append(name) }
  }

  private func number(_ bytes: ArraySlice<UInt8>, bits: Int = 8) -> Int {
    bytes.reduce(0) { $0 << bits | Int($1) }
  }
}

extension SurplusCovers {
  /// Goes through the tags at the beginning, and tells where they end.
  private mutating func walkTags() throws(DecodeFailure) -> Int {
    var start = 0
    while steps < Self.mostSteps,
      let length = try ID3Tag.length(at: start, in: file, marker: "ID3")
    {
      steps += 1
      try walkFrames(start..<min(file.size, start + length))
      start += length
    }
    return start
  }

  /// As libavformat does, in the bytes as they are (id3v2.4.0-structure §4, id3v2.2 §3.2).
  private mutating func walkFrames(_ tag: Range<Int>) throws(DecodeFailure) {
    let header = try file.bytes(at: tag.lowerBound, count: 10)
    let version = header[3]
    let (nameBytes, headerBytes) = version == 2 ? (3, 6) : (4, 10)
    var place = tag.lowerBound + 10
    if version > 2, header[5] & 0x40 != 0, place + 4 <= tag.upperBound {
      let length = number(try file.bytes(at: place, count: 4)[...], bits: 7)
      place += version == 4 ? max(4, length) : 4 + length
    }
    while place + headerBytes <= tag.upperBound, steps < Self.mostSteps {
      steps += 1
      let frame = try file.bytes(at: place, count: headerBytes)
      guard frame[0] != 0 else { return }
      let name = String(decoding: frame[..<nameBytes], as: UTF8.self)
      if name == "PIC" || name == "APIC" { meet(place) }
      let size = frame[nameBytes..<2 * nameBytes]
      // Some writers of 2.4 give plain numbers.
      let isPlain = version < 4 || size.contains { $0 >= 0x80 }
      place += headerBytes + number(size, bits: isPlain ? 8 : 7)
    }
  }
}

extension SurplusCovers {
  /// What a box is told by its name to hold.
  private enum Holder {
    case file, movie, track, texts, metadata, list, covers

    /// What a box inside holds; nil where no cover lies in it.
    func inside(_ name: String) -> Holder? {
      switch (self, name) {
      case (.file, "moov"): .movie
      case (.movie, "trak"): .track
      case (.movie, "udta"), (.track, "udta"): .texts
      case (.file, "meta"), (.movie, "meta"), (.track, "meta"), (.texts, "meta"): .metadata
      case (.metadata, "ilst"): .list
      case (.list, "covr"): .covers
      default: nil
      }
    }
  }

  /// Goes through boxes (ISO/IEC 14496-12 §4.2). What is no `data` ends what libavformat reads of a
  /// box of covers.
  private mutating func walkBoxes(_ range: Range<Int>, of holder: Holder) throws(DecodeFailure) {
    var place = range.lowerBound
    while place + 8 <= range.upperBound, steps < Self.mostSteps {
      steps += 1
      let header = try file.bytes(at: place, count: min(16, range.upperBound - place))
      let name = String(decoding: header[4..<8], as: UTF8.self)
      let (short, isLong) = (number(header[..<4]), number(header[..<4]) == 1 && header.count == 16)
      let size = isLong ? number(header[9...]) : short == 0 ? range.upperBound - place : short
      let first = place + (isLong ? 16 : 8)
      guard size >= first - place, size <= range.upperBound - place else { return }
      if holder == .covers, name == "data" { meet(place + 4) }
      if let inside = holder.inside(name) {
        let contents = first..<place + size
        try walkBoxes(
          inside == .metadata ? try behindVersion(contents) : contents, of: inside)
      }
      place += size
    }
  }

  /// QuickTime's `meta` has no version before its boxes.
  private func behindVersion(_ contents: Range<Int>) throws(DecodeFailure) -> Range<Int> {
    guard contents.count >= 8 else { return contents }
    let name = try file.bytes(at: contents.lowerBound + 4, count: 4)
    return name == Array("hdlr".utf8) ? contents : contents.dropFirst(4)
  }
}
