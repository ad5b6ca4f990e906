extension MediaFormat {
  /// MPEG-1 or MPEG-2 program stream, video elementary stream or transport stream.
  static func mpegStreamFormat(_ bytes: Span<UInt8>) -> MediaFormat? {
    isProgramStream(bytes) || isVideoSequence(bytes) || isTransportStream(bytes) ? .mpeg : nil
  }

  /// A pack header (ISO/IEC 13818-1 §2.5.3.3; MPEG-1: ISO/IEC 11172-1 §2.4.3.2), told apart by the
  /// marker bits after the start code.
  private static func isProgramStream(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.holds([0, 0, 1, 0xBA] as [UInt8], at: 0) else { return false }
    guard let marker = bytes.byte(at: 4) else { return true }
    return marker & 0xC0 == 0x40 || marker & 0xF0 == 0x20
  }

  /// A sequence header (ISO/IEC 13818-2 §6.2.2.1) of a picture that has width and height.
  private static func isVideoSequence(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.holds([0, 0, 1, 0xB3] as [UInt8], at: 0) else { return false }
    guard let sizes = bytes.bigEndian(at: 4, bytes: 3) else { return true }
    return sizes >> 12 > 0 && sizes & 0xFFF > 0
  }

  /// Packets of 188 bytes, each beginning with 0x47 (ISO/IEC 13818-1 §2.4.3.2), or of 192 with a
  /// time stamp before each (Blu-ray's form). Two sync bytes at least, four where within reach.
  private static func isTransportStream(_ bytes: Span<UInt8>) -> Bool {
    for (start, packet) in [(0, 188), (4, 192)] where bytes.count > start + packet {
      let places = stride(from: start, to: min(bytes.count, start + 4 * packet), by: packet)
      if places.allSatisfy({ bytes[$0] == 0x47 }) { return true }
    }
    return false
  }
}
