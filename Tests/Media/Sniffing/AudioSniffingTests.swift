import Media
import Testing

@Suite struct AudioSniffingTests {
  /// MPEG-1 layer III, 128 kbit/s, 44.1 kHz: 417 bytes a frame (ISO/IEC 11172-3: 144 × 128000 ÷ 44100).
  static let mp3Frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + zeros(413)
  /// MPEG-2 layer III, 64 kbit/s, 22.05 kHz: 72 × 64000 ÷ 22050 = 208 bytes.
  static let mp3Version2Frame: [UInt8] = [0xFF, 0xF3, 0x80, 0x00] + zeros(204)
  /// MPEG-1 layer II, 192 kbit/s, 48 kHz: 144 × 192000 ÷ 48000 = 576 bytes.
  static let mp2Frame: [UInt8] = [0xFF, 0xFD, 0xA4, 0x00] + zeros(572)
  /// AAC LC, 44.1 kHz, stereo, 64 bytes in all.
  static let adtsFrame: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x08, 0x1F, 0xFC] + zeros(57)

  /// An ID3v2.3 tag with a body of zeros, as padding is.
  static func id3(_ body: Int, version: UInt8 = 3) -> [UInt8] {
    let sevens = [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: body >> $0) & 0x7F }
    return Array("ID3".utf8) + [version, 0, 0] + sevens + zeros(body)
  }

  static let heads = [
    Head("WAV", .wav, "RIFF", zeros(4), "WAVEfmt "),
    Head("RF64", .wav, "RF64", [0xFF, 0xFF, 0xFF, 0xFF] as [UInt8], "WAVEds64"),
    Head("BW64", .wav, "BW64", [0xFF, 0xFF, 0xFF, 0xFF] as [UInt8], "WAVEds64"),
    Head("AIFF", .aiff, "FORM", zeros(4), "AIFFCOMM"),
    Head("AIFF-C", .aiff, "FORM", zeros(4), "AIFCFVER"),
    Head("IFF picture", .unknown, "FORM", zeros(4), "ILBM"),
    Head("FLAC", .flac, "fLaC"),
    Head("FLAC after ID3", .flac, id3(30), "fLaC"),
    Head("two MP3 frames", .mp3, mp3Frame, mp3Frame),
    Head("one MP3 frame, the next out of reach", .mp3, mp3Frame),
    Head("MP3 after ID3", .mp3, id3(200), mp3Frame, mp3Frame),
    Head("MP3 after two tags", .mp3, id3(20), id3(20, version: 4), mp3Frame),
    Head("MP3 after more padding than the tag says", .mp3, id3(20), zeros(100), mp3Frame),
    Head("tag beyond reach", .mp3, Array(id3(100_000).prefix(4096))),
    Head("ID3 of an unknown version", .unknown, id3(20, version: 9)),
    Head("MPEG-2 layer III", .mp3, mp3Version2Frame, mp3Version2Frame),
    Head("layer II", .mp3, mp2Frame, mp2Frame),
    Head("frame header whose successor is none", .unknown, mp3Frame, "something else entirely"),
    Head("frame whose successor has another rate", .unknown, mp3Frame, mp2Frame),
    Head("reserved bit rate", .unknown, [0xFF, 0xFB, 0xF0, 0x00] as [UInt8]),
    Head("reserved sampling rate", .unknown, [0xFF, 0xFB, 0x9C, 0x00] as [UInt8]),
    Head("reserved version", .unknown, [0xFF, 0xEB, 0x90, 0x00] as [UInt8]),
    Head("ADTS", .aac, adtsFrame, adtsFrame),
    Head("ADTS after ID3", .aac, id3(40), adtsFrame, adtsFrame),
    Head("ADTS without a successor", .unknown, adtsFrame, "something else"),
    Head("ADIF", .aac, "ADIF"),
  ]

  @Test("Sound is known by headers that agree", arguments: heads)
  func sound(head: Head) {
    #expect(MediaFormat.sniff(head.bytes) == head.format)
  }

  @Test("Any prefix is sniffed", arguments: heads)
  func prefixes(head: Head) {
    for length in 0..<head.bytes.count { _ = MediaFormat.sniff(Array(head.bytes.prefix(length))) }
  }
}
