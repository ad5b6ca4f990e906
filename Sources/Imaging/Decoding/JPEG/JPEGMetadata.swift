internal import Media

/// What the application segments before the first scan tell (ITU-T T.81 annex B; Exif; ICC.1 annex
/// B.4). Read by us, so that the library keeps no segment in memory.
struct JPEGMetadata {
  var orientation = Orientation.up
  var iccProfile: [UInt8]?
  /// Why there is no profile though parts of one are there.
  var brokenProfile: String?
  /// Exif 2.3 §4.5.5.
  var thumbnail: EmbeddedJPEG?

  /// Bytes of garbage between segments that are stepped over.
  private static let maxGarbage = 65_536

  private var profileParts: [Int: Range<Int>] = [:]
  private var profilePartCount: Int?
  private var profileIsBroken = false
  private var sawExif = false

  /// Walks from the start of the image to its first scan.
  static func read(_ input: Int32) throws(DecodeFailure) -> JPEGMetadata {
    var reader = try InputReader(input)
    var metadata = JPEGMetadata()
    var offset = 0
    while let marker = try nextMarker(&reader, from: &offset), marker != 0xD9, marker != 0xDA {
      if standsAlone(marker) { continue }
      guard let length = try reader.unsigned(at: offset, bytes: 2, .big), length >= 2 else { break }
      try metadata.take(marker, (offset + 2)..<(offset + length), &reader)
      offset += length
    }
    try metadata.assembleProfile(reader)
    return metadata
  }

  private static func standsAlone(_ marker: UInt8) -> Bool {
    marker == 0x01 || (0xD0...0xD8).contains(marker)
  }

  /// Steps over fill bytes and garbage, as decoders do.
  private static func nextMarker(
    _ reader: inout InputReader, from offset: inout Int
  ) throws(DecodeFailure) -> UInt8? {
    var previous: UInt8 = 0
    for _ in 0..<maxGarbage {
      guard let byte = try reader.byte(at: offset) else { return nil }
      offset += 1
      if previous == 0xFF, byte != 0xFF, byte != 0 { return byte }
      previous = byte
    }
    return nil
  }

  private mutating func take(
    _ marker: UInt8, _ payload: Range<Int>, _ reader: inout InputReader
  ) throws(DecodeFailure) {
    if marker == 0xE1, !sawExif {
      guard let bytes = try reader.bytes(at: payload.lowerBound, count: payload.count),
        bytes.matches("Exif\0")
      else { return }
      sawExif = true
      orientation = Orientation(exif: Array(bytes.dropFirst(6)))
      thumbnail = EmbeddedJPEG(exif: bytes, at: payload.lowerBound)
    }
    if marker == 0xE2, payload.count > 14 {
      guard let lead = try reader.bytes(at: payload.lowerBound, count: 14),
        lead.matches("ICC_PROFILE\0")
      else { return }
      addProfilePart(Int(lead[12]), of: Int(lead[13]), payload.dropFirst(14))
    }
  }

  private mutating func addProfilePart(_ number: Int, of count: Int, _ bytes: Range<Int>) {
    let isConsistent = (profilePartCount ?? count) == count && (1...max(1, count)).contains(number)
    profilePartCount = count
    if !isConsistent || profileParts.updateValue(bytes, forKey: number) != nil {
      profileIsBroken = true
    }
  }

  /// No profile is made where a part is missing, double, or the whole is beyond reason: none is better
  /// than a wrong one.
  private mutating func assembleProfile(_ reader: InputReader) throws(DecodeFailure) {
    guard let count = profilePartCount else { return }
    brokenProfile = "parts of the profile are missing or double"
    guard count == profileParts.count, !profileIsBroken else { return }
    let total = profileParts.values.reduce(0) { $0 + $1.count }
    guard total <= EmbeddedProfile.largestProfile else {
      brokenProfile = EmbeddedProfile.tooLarge(total)
      return
    }
    var profile: [UInt8] = []
    profile.reserveCapacity(total)
    for number in 1...max(1, count) {
      guard let range = profileParts[number],
        let bytes = try reader.bytes(at: range.lowerBound, count: range.count)
      else { return }
      profile += bytes
    }
    (iccProfile, brokenProfile) = (profile, nil)
  }
}
