internal import Imaging

/// What a decoder configuration record says of a coded item.
struct CodecConfiguration {
  let bitDepth: Int
  let isMonochrome: Bool
  /// What the decoder is given before the item's data: NAL units (HEVC) or OBUs (AV1).
  let parameterSets: [[UInt8]]
  /// Bytes of the size in front of each NAL unit of the item.
  let lengthSize: Int

  /// `hvcC` (ISO/IEC 14496-15, 8.3.3.1).
  init(hevc box: inout BoxContent) throws(DecodeFailure) {
    try box.skip(16)
    isMonochrome = try box.number(bytes: 1) & 3 == 0
    bitDepth = (try box.number(bytes: 1) & 7) + 8
    try box.skip(3)
    lengthSize = (try box.number(bytes: 1) & 3) + 1
    var parameterSets: [[UInt8]] = []
    for _ in 0..<(try box.number(bytes: 1)) {
      try box.skip(1)
      for _ in 0..<(try box.number(bytes: 2)) {
        let length = try box.number(bytes: 2)
        parameterSets.append(try box.bytes(length))
      }
    }
    self.parameterSets = parameterSets
  }

  /// `av1C` (AV1 ISOBMFF binding, 2.3.3).
  init(av1 box: inout BoxContent) throws(DecodeFailure) {
    try box.skip(2)
    let flags = try box.number(bytes: 1)
    bitDepth = flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12
    isMonochrome = flags & 0x10 != 0
    try box.skip(1)
    parameterSets = [box.rest()]
    lengthSize = 0
  }
}
