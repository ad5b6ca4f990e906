extension MediaFormat {
  /// WebM or Matroska, by the DocType of the EBML header (RFC 8794 §11.2.4); nil for other bytes.
  /// A header whose DocType is out of reach counts as Matroska, of which WebM is a subset.
  static func ebmlFormat(_ bytes: Span<UInt8>) -> MediaFormat? {
    guard bytes.holds([0x1A, 0x45, 0xDF, 0xA3] as [UInt8], at: 0) else { return nil }
    guard let header = EBMLNumber(at: 4, in: bytes) else { return .mkv }
    var offset = 4 + header.width
    let end = min(bytes.count, offset + header.value)
    while offset < end {
      guard let identifier = EBMLNumber(at: offset, in: bytes),
        let size = EBMLNumber(at: offset + identifier.width, in: bytes)
      else { return .mkv }
      let body = offset + identifier.width + size.width
      // 0x4282 without its length marker.
      if identifier.width == 2, identifier.value == 0x0282 {
        if bytes.holds("webm", at: body) { return .webm }
        return bytes.holds("matroska", at: body) || bytes.count - body < 8 ? .mkv : .unknown
      }
      offset = body + size.value
    }
    return .mkv
  }
}

/// A number of variable length (RFC 8794 §4): the leading zeros of its first byte tell how many bytes
/// it has.
private struct EBMLNumber {
  let value: Int
  let width: Int

  init?(at offset: Int, in bytes: Span<UInt8>) {
    guard let first = bytes.byte(at: offset), first != 0 else { return nil }
    width = first.leadingZeroBitCount + 1
    guard let rest = bytes.bigEndian(at: offset + 1, bytes: width - 1) else { return nil }
    let marker = 0x80 >> (width - 1)
    value = (Int(first) & (marker - 1)) << (8 * (width - 1)) | rest
  }
}
