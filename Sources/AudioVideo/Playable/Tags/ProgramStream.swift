internal import Imaging

/// A program stream (ISO/IEC 13818-1 §2.5; MPEG-1: ISO/IEC 11172-1): packets of sound and film stay,
/// those of private streams, data and metadata become padding of the same length.
struct ProgramStream {
  private let size: Int
  private var window: SourceWindow
  /// By stream number.
  private var films: [Int: VideoTexts] = [:]

  private static let packHeader = 0xBA

  init(_ file: SourceFile) {
    size = file.size
    window = SourceWindow(file)
  }

  mutating func clean(_ patches: inout FilePatches) throws(DecodeFailure) {
    var offset = 0
    while offset < size {
      guard let code = try startCode(at: offset), let end = try end(of: code, at: offset) else {
        let next = try placeToGoOn(after: offset)
        try patches.erase(offset..<next, in: &window)
        offset = next
        continue
      }
      let packet = offset..<min(size, end)
      if code > 0xBB { try clean(packet, code, &patches) }
      offset = packet.upperBound
    }
    for var film in films.values { film.end(patches: &patches) }
  }

  /// The last byte of a start code of the system layer; nil where none stands.
  private mutating func startCode(at offset: Int) throws(DecodeFailure) -> Int? {
    guard let word = try window.bigEndian(at: offset, bytes: 4), word >> 8 == 1, word & 0xFF >= 0xB9
    else { return nil }
    return word & 0xFF
  }

  private mutating func end(of code: Int, at offset: Int) throws(DecodeFailure) -> Int? {
    switch code {
    case 0xB9: return offset + 4
    case Self.packHeader:
      guard let marker = try window.bigEndian(at: offset + 4, bytes: 1) else { return nil }
      guard marker & 0xC0 == 0x40 else { return offset + 12 }
      return try window.bigEndian(at: offset + 13, bytes: 1).map { offset + 14 + ($0 & 7) }
    default: return try window.bigEndian(at: offset + 4, bytes: 2).map { offset + 6 + $0 }
    }
  }

  private mutating func clean(
    _ packet: Range<Int>, _ code: Int, _ patches: inout FilePatches
  ) throws(DecodeFailure) {
    let contents = min(packet.upperBound, packet.lowerBound + 6)..<packet.upperBound
    switch code {
    // The map of the streams, and sound.
    case 0xBC, 0xC0...0xDF: return
    case 0xE0...0xEF:
      guard let start = try contentsStart(of: packet) else { return }
      try window.forEachBlock(in: start..<packet.upperBound) { (bytes, offset) in
        films[code, default: VideoTexts()].take(bytes, at: offset, patches: &patches)
      }
    case 0xBD:
      if try !holdsSound(packet) { try pad(packet, contents, &patches) }
    case 0xBE:
      // MPEG-1 begins its padding with this.
      let isOld = try window.bigEndian(at: contents.lowerBound, bytes: 1) == 0x0F
      try patches.erase(
        isOld && !contents.isEmpty ? contents.dropFirst() : contents, in: &window, with: 0xFF)
    default: try pad(packet, contents, &patches)
    }
  }

  private mutating func pad(
    _ packet: Range<Int>, _ contents: Range<Int>, _ patches: inout FilePatches
  ) throws(DecodeFailure) {
    patches.put([0xBE], at: packet.lowerBound + 3)
    try patches.erase(contents, in: &window, with: 0xFF)
  }

  /// Whether a private stream is AC-3, DTS or linear PCM, as DVDs number them.
  private mutating func holdsSound(_ packet: Range<Int>) throws(DecodeFailure) -> Bool {
    guard let start = try contentsStart(of: packet),
      let number = try window.bigEndian(at: start, bytes: 2)
    else { return false }
    return (0x80...0xAF).contains(number >> 8) || number == 0x0B77
  }

  /// Behind the packet's header, of MPEG-2 or MPEG-1; nil where that is not whole.
  private mutating func contentsStart(of packet: Range<Int>) throws(DecodeFailure) -> Int? {
    let head = Array(
      try window.bytes(at: packet.lowerBound, count: min(64, packet.count)))
    guard let length = PacketHeader.length(head), length <= packet.count else { return nil }
    return packet.lowerBound + length
  }

  /// The next packet behind an offset, as players find it; the end where there is none. Coded film
  /// holds no start code of the system layer.
  private mutating func placeToGoOn(after offset: Int) throws(DecodeFailure) -> Int {
    var place = offset + 1
    while place < size {
      let bytes = try window.some(of: place..<size)
      guard let found = bytes.firstIndex(of: 0) else {
        place += bytes.count
        continue
      }
      place += found - bytes.startIndex
      if try startCode(at: place) != nil { return place }
      place += 1
    }
    return size
  }
}

/// The header of a packetized elementary stream's packet (ISO/IEC 13818-1 §2.4.3.6, ISO/IEC 11172-1
/// §2.4.4.3).
enum PacketHeader {
  /// Its length, from the start code on; nil where it is not whole.
  static func length(_ bytes: [UInt8]) -> Int? {
    guard bytes.count > 8 else { return nil }
    if bytes[6] & 0xC0 == 0x80 { return 9 + Int(bytes[8]) }
    var place = 6
    while place < bytes.count, bytes[place] == 0xFF { place += 1 }
    if place < bytes.count, bytes[place] & 0xC0 == 0x40 { place += 2 }
    guard place < bytes.count else { return nil }
    switch bytes[place] >> 4 {
    case 2: return place + 5
    case 3: return place + 10
    default: return place + 1
    }
  }
}
