/// Finds the user data of an MPEG-1 or MPEG-2 video stream (ISO/IEC 13818-2 §6.2.2.2.2), in whose midst
/// packets may end, and overwrites all but captions and the shape of the picture.
struct VideoTexts {
  /// Where the user data lie that were begun, start code left out.
  private var places: [Range<Int>] = []
  private var first: [UInt8] = []
  private var isInside = false
  /// The last four bytes.
  private var last: UInt32 = .max

  private static let startCode: UInt32 = 0x0000_01B2
  /// ATSC A/53 captions, ETSI TS 101 154 active format, DVD captions.
  private static let needed = [
    Array("GA94".utf8), Array("DTG1".utf8), [0x43, 0x43, 0x01, 0xF8],
  ]

  /// Takes the next bytes of the stream, which lie in the file from an offset on.
  mutating func take(_ bytes: ArraySlice<UInt8>, at offset: Int, patches: inout FilePatches) {
    var place = offset
    if isInside { places.append(place..<place) }
    for byte in bytes {
      last = last << 8 | UInt32(byte)
      place += 1
      if isInside {
        if first.count < 4 { first.append(byte) }
        if last >> 8 == 1 {
          extend(to: place)
          finish(behind: 4, &patches)
        }
      }
      if last == Self.startCode {
        isInside = true
        (first, places) = ([], [place..<place])
      }
    }
    if isInside { extend(to: place) }
  }

  /// Ends the stream.
  mutating func end(patches: inout FilePatches) {
    if isInside { finish(behind: 0, &patches) }
  }

  private mutating func extend(to end: Int) {
    guard let open = places.popLast() else { return }
    places.append(open.lowerBound..<end)
  }

  /// Overwrites what was found, but for so many bytes at its end.
  private mutating func finish(behind count: Int, _ patches: inout FilePatches) {
    isInside = false
    var count = count
    while let range = places.popLast(), count > 0 {
      let cut = min(count, range.count)
      count -= cut
      if range.count > cut { places.append(range.lowerBound..<range.upperBound - cut) }
      if count == 0 { break }
    }
    guard !Self.needed.contains(first) else { return }
    for range in places { patches.fill(range, with: 0xFF) }
    places = []
  }
}
