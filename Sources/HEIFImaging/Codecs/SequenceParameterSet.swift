internal import Imaging
internal import Media

/// The coded size that an HEVC sequence parameter set declares (ITU-T H.265, 7.3.2.2.1).
enum SequenceParameterSet {
  /// The `nal_unit_type` of such a unit (table 7-1).
  private static let unitType: UInt8 = 33

  /// Nil for units of other types, and for what cannot be read.
  static func codedSize(_ unit: ArraySlice<UInt8>) -> PixelSize? {
    guard let first = unit.first, first >> 1 & 0x3f == unitType else { return nil }
    var bits = BitReader(payload(unit.dropFirst(2)))
    return try? size(&bits)
  }

  private static func size(_ bits: inout BitReader) throws(DecodeFailure) -> PixelSize {
    _ = try bits.number(4)
    let subLayers = try bits.number(3)
    _ = try bits.number(1)
    try skipProfileTierLevel(&bits, subLayers)
    _ = try bits.golomb()
    if try bits.golomb() == 3 { _ = try bits.number(1) }
    return PixelSize(width: try bits.golomb(), height: try bits.golomb())
  }

  /// 7.3.3, with the general profile.
  private static func skipProfileTierLevel(
    _ bits: inout BitReader, _ subLayers: Int
  ) throws(DecodeFailure) {
    try bits.skip(88 + 8)
    guard subLayers > 0 else { return }
    var further = 0
    for _ in 0..<subLayers {
      further += try bits.number(1) * 88
      further += try bits.number(1) * 8
    }
    try bits.skip((8 - subLayers) * 2 + further)
  }

  /// The beginning of the unit's bytes without those that keep start codes out (7.4.2).
  private static func payload(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var payload: [UInt8] = []
    var zeros = 0
    for byte in bytes.prefix(1024) {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      payload.append(byte)
    }
    return payload
  }
}

/// Reads bits, the highest of each byte first.
private struct BitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func skip(_ count: Int) throws(DecodeFailure) {
    guard count <= bytes.count * 8 - position else { throw .corrupt("a parameter set ends early") }
    position += count
  }

  mutating func number(_ count: Int) throws(DecodeFailure) -> Int {
    let start = position
    try skip(count)
    return (start..<position).reduce(0) { value, bit in
      value << 1 | Int(bytes[bit / 8] >> UInt8(7 - bit % 8) & 1)
    }
  }

  /// An Exp-Golomb code, `ue(v)` (9.2), of at most 32 bits.
  mutating func golomb() throws(DecodeFailure) -> Int {
    var zeros = 0
    while try number(1) == 0 {
      zeros += 1
      guard zeros <= 31 else { throw .corrupt("a number in a parameter set is out of range") }
    }
    return (1 << zeros) - 1 + (try number(zeros))
  }
}
