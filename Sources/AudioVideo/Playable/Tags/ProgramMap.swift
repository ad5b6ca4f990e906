/// A section of a transport stream that tells which streams a program holds (ISO/IEC 13818-1 §2.4.4.8).
struct ProgramMap {
  /// Of the streams that are film or sound.
  private(set) var streams: [Int: Kind] = [:]
  let clock: Int
  /// The section without other streams and without descriptors that players do not need.
  private(set) var section: [UInt8]

  enum Kind {
    case film
    case sound
  }

  /// Nil where the section is none, or contradicts itself. Of private streams, those among `sounds` are
  /// sound even where nothing describes them.
  init?(_ section: [UInt8], sounds: Set<Int>) {
    guard section.count >= 16, section[0] == 2 else { return nil }
    func number(_ place: Int) -> Int { Int(section[place]) << 8 | Int(section[place + 1]) }
    clock = number(8) & 0x1FFF
    let end = section.count - 4
    let first = 12 + (number(10) & 0xFFF)
    guard first <= end else { return nil }
    let about = Self.needed(section[12..<first])
    self.section = Array(section[..<10]) + Self.sized(about)
    var place = first
    while place + 5 <= end {
      let next = place + 5 + (number(place + 3) & 0xFFF)
      guard next <= end else { return nil }
      let descriptors = section[place + 5..<next]
      let stream = number(place + 1) & 0x1FFF
      if let kind = Self.kind(section[place], descriptors)
        ?? (sounds.contains(stream) ? .sound : nil)
      {
        streams[stream] = kind
        self.section += section[place..<place + 3] + Self.sized(Self.needed(descriptors))
      }
      place = next
    }
    let length = self.section.count - 3 + 4
    self.section[1] = section[1] & 0xF0 | UInt8(length >> 8)
    self.section[2] = UInt8(length & 0xFF)
    let checksum = Self.checksum(self.section)
    self.section += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: checksum >> $0) }
  }

  /// By the type (ISO/IEC 13818-1 table 2-34, ATSC A/53), and for private streams by what describes
  /// them; nil for texts and data.
  private static func kind(_ type: UInt8, _ descriptors: ArraySlice<UInt8>) -> Kind? {
    switch type {
    case 0x01, 0x02, 0x10, 0x1B, 0x24: return .film
    case 0x03, 0x04, 0x0F, 0x11, 0x80, 0x81, 0x83, 0x87: return .sound
    case 0x06:
      let isSound = list(descriptors).contains { tag, contents in
        [0x6A, 0x7A, 0x7B].contains(tag)
          || tag == 0x05 && ["AC-3", "EAC3"].contains(String(decoding: contents, as: UTF8.self))
      }
      return isSound ? .sound : nil
    default: return nil
    }
  }

  private static func list(_ bytes: ArraySlice<UInt8>) -> [(UInt8, ArraySlice<UInt8>)] {
    var (found, rest) = ([(UInt8, ArraySlice<UInt8>)](), bytes)
    while rest.count >= 2 {
      let (tag, length) = (rest[rest.startIndex], Int(rest[rest.startIndex + 1]))
      rest = rest.dropFirst(2)
      guard length <= rest.count else { break }
      found.append((tag, rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    return found
  }

  /// Registration and language, by four bytes each, and the kinds of AC-3.
  private static func needed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    list(bytes).flatMap { tag, contents -> [UInt8] in
      switch tag {
      case 0x05, 0x0A: [tag, UInt8(min(4, contents.count))] + contents.prefix(4)
      case 0x6A, 0x7A, 0x7B: [tag, UInt8(min(8, contents.count))] + contents.prefix(8)
      default: []
      }
    }
  }

  private static func sized(_ descriptors: [UInt8]) -> [UInt8] {
    [0xF0 | UInt8(descriptors.count >> 8 & 0x0F), UInt8(descriptors.count & 0xFF)] + descriptors
  }

  /// ISO/IEC 13818-1 annex A.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte) << 24
      for _ in 0..<8 { sum = sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7 }
    }
    return sum
  }
}
