/// Finds what of an H.264 or HEVC stream is neither picture nor needed for it: supplemental messages of
/// unregistered user data (ITU-T H.264 §D.1.7, H.265 §D.2.7), in which cameras write times and places.
struct SupplementalTexts {
  enum Framing: Hashable {
    /// Units behind start codes (annex B).
    case startCodes
    /// Units behind their lengths, of so many bytes.
    case lengths(Int)
  }

  let isHEVC: Bool
  let framing: Framing

  /// Settings of x264 and x265, by their identifiers and first words.
  private static let harmless: [([UInt8], String)] = [
    (
      [
        0xDC, 0x45, 0xE9, 0xBD, 0xE6, 0xD9, 0x48, 0xB7, 0x96, 0x2C, 0xD8, 0x20, 0xD9, 0x23, 0xEE,
        0xEF,
      ], "x264 - core "
    ),
    (
      [
        0x2C, 0xA2, 0xDE, 0x09, 0xB5, 0x17, 0x47, 0xDB, 0xBB, 0x55, 0xA4, 0xFE, 0x7F, 0xC2, 0xFC,
        0x4E,
      ], "x265 (build "
    ),
  ]
  private static let unregisteredUserData = 5
  /// An identifier and three bytes hold neither a text nor a place.
  private static let shortest = 20
  /// What Apple's encoder adds to each frame, and how long it is at most.
  private static let frameCounter: [UInt8] = [
    0x03, 0x87, 0xF4, 0x4E, 0xCD, 0x0A, 0x4B, 0xDC, 0xA1, 0x94, 0x3A, 0xC3, 0xD4, 0x9B, 0x17, 0x1F,
  ]
  private static let longestCounter = 32

  /// The places of one packet that are to be overwritten.
  func places(in bytes: Span<UInt8>) -> [Int] {
    switch framing {
    case .lengths(let count): placesByLength(bytes, count)
    case .startCodes: placesByStartCode(bytes)
    }
  }

  /// The same of a decoder configuration, which holds units of its own (ISO/IEC 14496-15 §8.3.3.1).
  func places(inConfiguration bytes: Span<UInt8>) -> [Int] {
    guard framing != .startCodes else { return placesByStartCode(bytes) }
    guard isHEVC, bytes.count > 23 else { return [] }
    func number(_ place: Int) -> Int? {
      place + 1 < bytes.count ? Int(bytes[place]) << 8 | Int(bytes[place + 1]) : nil
    }
    var (found, place) = ([Int](), 23)
    for _ in 0..<bytes[22] {
      guard let units = number(place + 1) else { break }
      place += 3
      for _ in 0..<units {
        guard let length = number(place), place + 2 + length <= bytes.count else { return found }
        found += unitPlaces(bytes, place + 2..<place + 2 + length)
        place += 2 + length
      }
    }
    return found
  }

  /// What the places are overwritten with: it makes no start code, and needs no escape.
  static let filler: UInt8 = 1

  private func placesByLength(_ bytes: Span<UInt8>, _ count: Int) -> [Int] {
    var (found, place) = ([Int](), 0)
    while place + count < bytes.count {
      var length = 0
      for index in 0..<count { length = length << 8 | Int(bytes[place + index]) }
      let start = place + count
      let end = min(bytes.count, start + length)
      found += unitPlaces(bytes, start..<end)
      place = end
    }
    return found
  }

  private func placesByStartCode(_ bytes: Span<UInt8>) -> [Int] {
    var (found, start, place) = ([Int](), Int?.none, 0)
    while place + 2 < bytes.count {
      guard bytes[place] == 0, bytes[place + 1] == 0, bytes[place + 2] == 1 else {
        place += 1
        continue
      }
      if let start { found += unitPlaces(bytes, start..<place) }
      place += 3
      start = place
    }
    if let start { found += unitPlaces(bytes, start..<bytes.count) }
    return found
  }

  private func unitPlaces(_ bytes: Span<UInt8>, _ unit: Range<Int>) -> [Int] {
    guard let first = unit.first else { return [] }
    let type = Int(isHEVC ? bytes[first] >> 1 & 0x3F : bytes[first] & 0x1F)
    guard isHEVC ? type == 39 || type == 40 : type == 6 else { return [] }
    return messagePlaces(UnitPayload(bytes, unit, headerBytes: isHEVC ? 2 : 1), bytes)
  }

  private func messagePlaces(_ payload: UnitPayload, _ bytes: Span<UInt8>) -> [Int] {
    var (found, index) = ([Int](), 0)
    func number() -> Int? {
      var sum = 0
      while index < payload.places.count {
        let byte = Int(bytes[payload.places[index]])
        index += 1
        sum += byte
        if byte < 255 { return sum }
      }
      return nil
    }
    // The last byte ends the unit.
    while index + 1 < payload.places.count, let type = number(), let size = number() {
      let end = min(payload.places.count, index + size)
      let places = payload.places[min(index, end)..<end]
      if type == Self.unregisteredUserData, !isHarmless(places, bytes) {
        found += places.filter { !payload.escapes.contains($0) }
      }
      index = end
    }
    return found
  }

  private func isHarmless(_ places: ArraySlice<Int>, _ bytes: Span<UInt8>) -> Bool {
    places.count < Self.shortest
      || places.count <= Self.longestCounter
        && zip(places, Self.frameCounter).allSatisfy { bytes[$0] == $1 }
      || Self.harmless.contains { identifier, words in
        let head = identifier + Array(words.utf8)
        return places.count >= head.count
          && zip(places, head).allSatisfy { bytes[$0] == $1 }
      }
  }

  /// The bytes of a unit behind its header, without those that keep start codes from arising (H.264
  /// §7.4.1).
  private struct UnitPayload {
    private(set) var places: [Int] = []
    /// The zeros before such bytes, which must stay.
    private(set) var escapes: Set<Int> = []

    init(_ bytes: Span<UInt8>, _ unit: Range<Int>, headerBytes: Int) {
      var zeros = 0
      for place in unit.dropFirst(headerBytes) {
        if zeros >= 2, bytes[place] == 3 {
          escapes.formUnion([place - 2, place - 1])
          zeros = 0
          continue
        }
        zeros = bytes[place] == 0 ? zeros + 1 : 0
        places.append(place)
      }
    }
  }
}

extension SupplementalTexts {
  /// How the packets of a stream are framed, by its decoder configuration (ISO/IEC 14496-15 §5.3.3.1,
  /// §8.3.3.1): of H.264 its fifth byte tells, of HEVC its 22nd.
  init(isHEVC: Bool, configuration: Span<UInt8>) {
    self.isHEVC = isHEVC
    let place = isHEVC ? 21 : 4
    framing =
      configuration.count > place && configuration[0] == 1
      ? .lengths(Int(configuration[place] & 3) + 1) : .startCodes
  }
}
