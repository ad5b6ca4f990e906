/// The header of an MPEG-1, MPEG-2 or MPEG-2.5 audio frame (ISO/IEC 11172-3 §2.4.2.3).
package struct MPEGAudioFrame: Sendable, Hashable {
  /// Version, layer and sampling rate: the same in every frame of a stream.
  package let stream: Int
  /// Bytes from this header to the next.
  package let length: Int

  /// Kilobits a second by bit-rate index 1…14.
  private static let version1Layer1 = [
    32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448,
  ]
  private static let version1Layer2 = [
    32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384,
  ]
  private static let version1Layer3 = [
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
  ]
  private static let version2Layer1 = [
    32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256,
  ]
  private static let version2Layers2And3 = [
    8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160,
  ]

  /// Nil where a field has a reserved value, or the bit rate is `free`, which tells no length.
  package init?(at offset: Int, in bytes: Span<UInt8>) {
    guard let header = bytes.bigEndian(at: offset, bytes: 4), header >> 21 == 0x7FF else {
      return nil
    }
    let version = header >> 19 & 3
    let layer = 4 - (header >> 17 & 3)
    let rateIndex = header >> 12 & 15
    let samplingIndex = header >> 10 & 3
    let padding = header >> 9 & 1
    guard version != 1, layer != 4, (1...14).contains(rateIndex), samplingIndex != 3,
      header & 3 != 2
    else { return nil }
    let isVersion1 = version == 3
    let sampling = [44_100, 48_000, 32_000][samplingIndex] >> [2, 0, 1, 0][version]
    let bitRate = 1000 * Self.rates(isVersion1: isVersion1, layer: layer)[rateIndex - 1]
    stream = header >> 10 & 0x7C3 | layer << 12
    length =
      switch layer {
      case 1: (12 * bitRate / sampling + padding) * 4
      case 3 where !isVersion1: 72 * bitRate / sampling + padding
      default: 144 * bitRate / sampling + padding
      }
  }

  private static func rates(isVersion1: Bool, layer: Int) -> [Int] {
    switch (isVersion1, layer) {
    case (true, 1): version1Layer1
    case (true, 2): version1Layer2
    case (true, _): version1Layer3
    case (false, 1): version2Layer1
    case (false, _): version2Layers2And3
    }
  }
}
