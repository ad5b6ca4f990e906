/// Bytes that stand at fixed places in every file of a format.
struct Signature {
  let format: MediaFormat
  private let parts: [(offset: Int, bytes: [UInt8])]

  private init(_ format: MediaFormat, _ bytes: [UInt8]) {
    self.format = format
    parts = [(0, bytes)]
  }

  private init(_ format: MediaFormat, _ text: String, _ inner: String? = nil, at offset: Int = 8) {
    self.format = format
    parts = [(0, Array(text.utf8))] + (inner.map { [(offset, Array($0.utf8))] } ?? [])
  }

  private func matches(_ bytes: Span<UInt8>) -> Bool {
    for part in parts where !bytes.holds(part.bytes, at: part.offset) { return false }
    return true
  }

  static func format(of bytes: Span<UInt8>) -> MediaFormat? {
    for signature in all where signature.matches(bytes) { return signature.format }
    return nil
  }

  private static let all = [
    // ISO/IEC 10918-1 B.1.1.3: SOI and the next marker's first byte.
    Signature(.jpeg, [0xFF, 0xD8, 0xFF]),
    // PNG (third edition) §5.2.
    Signature(.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
    // GIF89a §17.
    Signature(.gif, "GIF87a"),
    Signature(.gif, "GIF89a"),
    // RIFF forms: WebP container (RFC 9649 §2), WAVE and its 64-bit forms (EBU Tech 3306,
    // ITU-R BS.2088), AVI.
    Signature(.webp, "RIFF", "WEBP"),
    Signature(.wav, "RIFF", "WAVE"),
    Signature(.wav, "RF64", "WAVE"),
    Signature(.wav, "BW64", "WAVE"),
    Signature(.avi, "RIFF", "AVI "),
    // AIFF 1.3 and AIFF-C.
    Signature(.aiff, "FORM", "AIFF"),
    Signature(.aiff, "FORM", "AIFC"),
    // TIFF 6.0 §2 and BigTIFF (offset size 8, then 0).
    Signature(.tiff, [0x49, 0x49, 0x2A, 0x00]),
    Signature(.tiff, [0x4D, 0x4D, 0x00, 0x2A]),
    Signature(.tiff, [0x49, 0x49, 0x2B, 0x00, 0x08, 0x00, 0x00, 0x00]),
    Signature(.tiff, [0x4D, 0x4D, 0x00, 0x2B, 0x00, 0x08, 0x00, 0x00]),
    // ISO/IEC 18181-2: bare codestream and container.
    Signature(.jxl, [0xFF, 0x0A]),
    Signature(.jxl, [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]),
    // ISO/IEC 15444-1: signature box; SOC then SIZ for a bare codestream.
    Signature(.jp2, [0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]),
    Signature(.jp2, [0xFF, 0x4F, 0xFF, 0x51]),
    // RFC 9639 §6, RFC 3533 §6, ISO/IEC 13818-7 (ADIF).
    Signature(.flac, "fLaC"),
    Signature(.ogg, "OggS\0"),
    Signature(.aac, "ADIF"),
    Signature(.pdf, "%PDF-"),
    // APPNOTE 4.3: a local header, an empty archive, a spanned archive.
    Signature(.zip, [0x50, 0x4B, 0x03, 0x04]),
    Signature(.zip, [0x50, 0x4B, 0x05, 0x06]),
    Signature(.zip, [0x50, 0x4B, 0x07, 0x08]),
  ]
}
