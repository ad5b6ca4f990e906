import Media
import Testing

@Suite struct ISOMediaTests {
  static let heads = [
    Head("HEIC", .heic, fileType("heic", "mif1", "heic")),
    Head("10-bit HEIC", .heic, fileType("heix", "mif1")),
    Head("HEVC image sequence", .heic, fileType("hevc", "msf1", "hevc")),
    Head("mif1 with heic", .heic, fileType("mif1", "mif1", "heic", "miaf")),
    Head("mif1 with avif", .avif, fileType("mif1", "mif1", "avif", "miaf")),
    Head("msf1 with avis", .avif, fileType("msf1", "msf1", "avis")),
    Head("mif1 whose item is HEVC", .heic, fileType("mif1", "mif1"), box("meta", "..hvc1..")),
    Head("mif1 whose item is AV1", .avif, fileType("mif1", "mif1"), box("meta", "..av01..")),
    Head("mif1 of which nothing else is known", .heic, fileType("mif1")),
    Head("AVIF", .avif, fileType("avif", "avif", "mif1", "miaf")),
    Head("AVIF sequence", .avif, fileType("avis", "msf1", "avis", "iso8")),
    Head(
      "AVIF after a 64-bit size", .avif,
      [0, 0, 0, 1] as [UInt8], "ftyp", zeros(7), [0x18] as [UInt8], "avif", zeros(4)),
    Head("MP4", .mp4, fileType("isom", "isom", "iso2", "avc1", "mp41")),
    Head("MP4 version 2", .mp4, fileType("mp42")),
    Head("3GPP", .mp4, fileType("3gp5", "isom")),
    Head("film of an unknown brand", .mp4, fileType("abcd", "isom")),
    Head("film that also holds a picture", .mp4, fileType("isom", "mif1", "heic")),
    Head("picture of an unknown brand", .heic, fileType("abcd", "mif1", "heic")),
    Head("DASH segment", .mp4, box("styp", "msdh", zeros(4))),
    Head("M4A", .m4a, fileType("M4A ", "M4A ", "mp42", "isom")),
    Head("audio book", .m4a, fileType("M4B ")),
    Head("M4V is a film", .mp4, fileType("M4V ", "mp42")),
    Head("MOV", .mov, fileType("qt  ", "qt  ")),
    Head("MOV that begins with moov", .mov, box("moov", box("mvhd", zeros(100)))),
    Head("MOV that begins with wide", .mov, box("wide"), box("mdat", zeros(20))),
    Head("MOV that begins with mdat", .mov, [0x01, 0x23, 0x45, 0x67] as [UInt8], "mdat"),
    Head("padding before ftyp", .mp4, box("free", zeros(8)), fileType("isom")),
    Head("padding before something else", .unknown, box("free", zeros(8)), box("abcd", zeros(8))),
    Head("text with a box's name in it", .unknown, "get free pictures of every kind"),
    Head("text with another box's name", .unknown, "the moov of the sea"),
    Head("JPEG 2000 by brand", .jp2, fileType("jp2 ", "jp2 ")),
    Head("Canon raw", .unknown, fileType("crx ", "crx ", "isom")),
    Head("ftyp of size 0", .mp4, zeros(4), "ftyp", "isom", zeros(4)),
    Head(
      "ftyp whose size lies", .avif, [0xFF, 0xFF, 0xFF, 0xFF] as [UInt8], "ftyp", "mif1",
      zeros(4), "avif"),
    Head("ftyp of which the brand is out of reach", .unknown, [0, 0, 0, 24] as [UInt8], "ftypis"),
  ]

  @Test("Brands tell pictures, sound and films apart", arguments: heads)
  func brands(head: Head) {
    #expect(MediaFormat.sniff(head.bytes) == head.format)
  }

  @Test("Any prefix is sniffed", arguments: heads)
  func prefixes(head: Head) {
    for length in 0..<head.bytes.count { _ = MediaFormat.sniff(Array(head.bytes.prefix(length))) }
  }
}
