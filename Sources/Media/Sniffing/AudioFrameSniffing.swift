extension MediaFormat {
  /// What follows an ID3v2 tag: MP3, FLAC or AAC; MP3 where that is out of reach, since it is what
  /// such tags are made for. Nil for bytes that begin with no tag.
  static func taggedAudioFormat(_ bytes: Span<UInt8>) -> MediaFormat? {
    guard var offset = id3TagEnd(at: 0, in: bytes) else { return nil }
    // A few writers prepend a tag without removing the old one.
    for _ in 0..<4 {
      guard let end = id3TagEnd(at: offset, in: bytes) else { break }
      offset = end
    }
    // Padding that the tag's size does not count.
    while bytes.byte(at: offset) == 0 { offset += 1 }
    if bytes.holds("fLaC", at: offset) { return .flac }
    return audioFrameFormat(bytes, at: offset) ?? .mp3
  }

  /// The first byte after an ID3v2 tag (id3v2.4.0-structure §3.1); nil where there is none.
  private static func id3TagEnd(at offset: Int, in bytes: Span<UInt8>) -> Int? {
    guard bytes.holds("ID3", at: offset),
      let version = bytes.byte(at: offset + 3), (2...4).contains(version),
      let revision = bytes.byte(at: offset + 4), revision < 0xFF,
      let flags = bytes.byte(at: offset + 5),
      let size = bytes.bigEndian(at: offset + 6, bytes: 4), size & 0x8080_8080 == 0
    else { return nil }
    // Seven bits a byte, so that no size looks like a frame's sync word.
    let length =
      (size & 0x7F) | (size & 0x7F00) >> 1 | (size & 0x7F_0000) >> 2 | (size & 0x7F00_0000) >> 3
    return offset + 10 + length + (flags & 0x10 == 0 ? 0 : 10)
  }

  /// MP3 or ADTS AAC by a plausible frame header at `offset`, and by a second one of the same
  /// stream where that is within reach.
  static func audioFrameFormat(_ bytes: Span<UInt8>, at offset: Int) -> MediaFormat? {
    if let frame = MPEGAudioFrame(at: offset, in: bytes) {
      let next = offset + frame.length
      guard bytes.count >= next + 4 else { return .mp3 }
      return MPEGAudioFrame(at: next, in: bytes)?.stream == frame.stream ? .mp3 : nil
    }
    if let frame = ADTSFrame(at: offset, in: bytes) {
      let next = offset + frame.length
      guard bytes.count >= next + 7 else { return .aac }
      return ADTSFrame(at: next, in: bytes)?.stream == frame.stream ? .aac : nil
    }
    return nil
  }
}

/// The fixed and variable header of an AAC frame (ADTS: ISO/IEC 13818-7 §6.2).
private struct ADTSFrame {
  /// Profile, sampling rate and channels: the same in every frame of a stream.
  let stream: Int
  let length: Int

  init?(at offset: Int, in bytes: Span<UInt8>) {
    // The layer bits are always 0: no MPEG audio frame has that.
    guard let fixed = bytes.bigEndian(at: offset, bytes: 4), fixed >> 16 & 0xFFF6 == 0xFFF0,
      fixed >> 10 & 15 < 13, let length = bytes.bigEndian(at: offset + 3, bytes: 3)
    else { return nil }
    stream = fixed >> 6 & 0x3FF
    self.length = length >> 5 & 0x1FFF
    guard self.length >= 7 else { return nil }
  }
}
