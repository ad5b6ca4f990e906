extension MediaFormat {
  /// The format of a file whose first bytes are `bytes`; names and `Content-Type` play no part.
  ///
  /// Any length will do. 4096 bytes decide nearly every real file; what lies beyond reach (a root
  /// element after long comments, sound after a large ID3 tag) is judged by what was seen. Time is
  /// linear in the length, and no number read from the bytes is trusted.
  ///
  /// Strong signatures come first, then containers that need a walk, then formats known only by
  /// plausible headers, and text last (WHATWG MIME Sniffing §6–§7 in spirit).
  package static func sniff(_ bytes: Span<UInt8>) -> MediaFormat {
    Signature.format(of: bytes)
      ?? isoMediaFormat(bytes)
      ?? ebmlFormat(bytes)
      ?? bitmapFormat(bytes)
      ?? mpegStreamFormat(bytes)
      ?? taggedAudioFormat(bytes)
      ?? audioFrameFormat(bytes, at: 0)
      ?? markupFormat(bytes)
      ?? .unknown
  }

  /// The same for an array.
  package static func sniff(_ bytes: [UInt8]) -> MediaFormat {
    sniff(bytes.span)
  }
}
