import Media
import Testing

/// Heads written by hand from the format specifications.
struct Head: Sendable, CustomTestStringConvertible {
  let name: String
  let format: MediaFormat
  let bytes: [UInt8]

  init(_ name: String, _ format: MediaFormat, _ parts: any HeadPart...) {
    self.name = name
    self.format = format
    bytes = parts.flatMap(\.headBytes)
  }

  var testDescription: String { name }
}

/// Text or numbers of a head.
protocol HeadPart: Sendable {
  var headBytes: [UInt8] { get }
}

extension String: HeadPart {
  var headBytes: [UInt8] { Array(utf8) }
}

extension [UInt8]: HeadPart {
  var headBytes: [UInt8] { self }
}

/// An ISO base media box of one type around a body.
func box(_ type: String, _ body: any HeadPart...) -> [UInt8] {
  let body = body.flatMap(\.headBytes)
  let size = UInt32(8 + body.count)
  return (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + Array(type.utf8) + body
}

/// A `ftyp` box: major brand, minor version 0, compatible brands.
func fileType(_ major: String, _ compatible: String...) -> [UInt8] {
  box("ftyp", major, [0, 0, 0, 0] as [UInt8], compatible.joined())
}

func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

@Suite struct SignatureTests {
  static let stills = [
    Head("JFIF", .jpeg, [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] as [UInt8], "JFIF\0"),
    Head("JPEG that begins with tables", .jpeg, [0xFF, 0xD8, 0xFF, 0xDB] as [UInt8]),
    Head("SOI alone", .unknown, [0xFF, 0xD8] as [UInt8]),
    Head("SOI and no marker", .unknown, [0xFF, 0xD8, 0x00, 0xE0] as [UInt8]),
    Head("PNG", .png, [0x89] as [UInt8], "PNG\r\n", [0x1A, 0x0A] as [UInt8]),
    Head(
      "PNG after text-mode transfer", .unknown, [0x89] as [UInt8], "PNG\n", [0x1A, 0x0A] as [UInt8]),
    Head("MNG", .unknown, [0x8A] as [UInt8], "MNG\r\n", [0x1A, 0x0A] as [UInt8]),
    Head("GIF87a", .gif, "GIF87a"),
    Head("GIF89a", .gif, "GIF89a"),
    Head("GIF88a", .unknown, "GIF88a"),
    Head("gif89a", .unknown, "gif89a"),
    Head("WebP", .webp, "RIFF", [0x24, 0, 0, 0] as [UInt8], "WEBPVP8 "),
    Head("RIFF of another form", .unknown, "RIFF", zeros(4), "ACON"),
    Head("RIFF alone", .unknown, "RIFF"),
    Head("BMP", .bmp, "BM", zeros(12), [40, 0, 0, 0] as [UInt8]),
    Head("OS/2 BMP", .bmp, "BM", zeros(12), [12, 0, 0, 0] as [UInt8]),
    Head("text that begins with BM", .unknown, "BMW and others recall cars"),
    Head("TIFF, little-endian", .tiff, "II", [42, 0] as [UInt8]),
    Head("TIFF, big-endian", .tiff, "MM", [0, 42] as [UInt8]),
    Head("BigTIFF", .tiff, "II", [43, 0, 8, 0, 0, 0] as [UInt8]),
    Head("BigTIFF, big-endian", .tiff, "MM", [0, 43, 0, 8, 0, 0] as [UInt8]),
    Head("TIFF with swapped version", .unknown, "II", [0, 42] as [UInt8]),
    Head(
      "icon", .ico,
      [0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0, 4, 1, 0, 0, 22, 0, 0, 0]
        as [UInt8]),
    Head("cursor", .ico, [0, 0, 2, 0, 1, 0] as [UInt8]),
    Head("icon without entries", .unknown, [0, 0, 1, 0, 0, 0] as [UInt8]),
    Head(
      "icon whose data lies in its directory", .unknown,
      [
        0, 0, 1, 0, 2, 0, 16, 16, 0, 0, 1, 0, 32, 0, 4, 1, 0, 0, 22, 0, 0, 0,
      ] as [UInt8]),
    Head("JPEG XL codestream", .jxl, [0xFF, 0x0A] as [UInt8]),
    Head("JPEG XL container", .jxl, box("JXL ", [0x0D, 0x0A, 0x87, 0x0A] as [UInt8])),
    Head("JPEG 2000", .jp2, box("jP  ", [0x0D, 0x0A, 0x87, 0x0A] as [UInt8])),
    Head("JPEG 2000 codestream", .jp2, [0xFF, 0x4F, 0xFF, 0x51] as [UInt8]),
  ]

  static let containers = [
    Head("PDF", .pdf, "%PDF-1.7"),
    Head("PDF without a version", .unknown, "%PDF"),
    Head("ZIP", .zip, "PK", [3, 4] as [UInt8]),
    Head("empty ZIP", .zip, "PK", [5, 6] as [UInt8]),
    Head("PK and other numbers", .unknown, "PK", [1, 1] as [UInt8]),
    Head("Ogg", .ogg, "OggS\0"),
    Head("AVI", .avi, "RIFF", zeros(4), "AVI LIST"),
    Head(
      "WebM", .webm,
      [0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x86, 0x81, 1, 0x42, 0x82, 0x84]
        as [UInt8], "webm"),
    Head(
      "Matroska", .mkv, [0x1A, 0x45, 0xDF, 0xA3, 0x8B, 0x42, 0x82, 0x88] as [UInt8], "matroska"),
    Head(
      "EBML of another kind", .unknown,
      [0x1A, 0x45, 0xDF, 0xA3, 0x8B, 0x42, 0x82, 0x88]
        as [UInt8], "mymadeup"),
    Head(
      "EBML whose size lies", .mkv,
      [0x1A, 0x45, 0xDF, 0xA3, 0x01, 0xFF, 0xFF, 0xFF, 0xFF]
        as [UInt8]),
    Head("MPEG-2 program stream", .mpeg, [0, 0, 1, 0xBA, 0x44] as [UInt8]),
    Head("MPEG-1 program stream", .mpeg, [0, 0, 1, 0xBA, 0x21] as [UInt8]),
    Head("pack header without its marker", .unknown, [0, 0, 1, 0xBA, 0x00] as [UInt8]),
    Head("MPEG video", .mpeg, [0, 0, 1, 0xB3, 0x14, 0x00, 0xF0] as [UInt8]),
    Head("MPEG video of no width", .unknown, [0, 0, 1, 0xB3, 0, 0, 0xF0] as [UInt8]),
    Head("transport stream", .mpeg, [0x47] as [UInt8], zeros(187), [0x47] as [UInt8], zeros(187)),
    Head(
      "time-stamped transport stream", .mpeg, zeros(4), [0x47] as [UInt8], zeros(191),
      [0x47] as [UInt8]),
    Head("one sync byte", .unknown, [0x47] as [UInt8], zeros(400)),
  ]

  @Test("A signature names its format, and what resembles it does not", arguments: stills)
  func stillSignature(head: Head) {
    #expect(MediaFormat.sniff(head.bytes) == head.format)
  }

  @Test("A container names its format, and what resembles it does not", arguments: containers)
  func containerSignature(head: Head) {
    #expect(MediaFormat.sniff(head.bytes) == head.format)
  }

  @Test func `Bytes of no format are unknown`() {
    #expect(MediaFormat.sniff([]) == .unknown)
    #expect(MediaFormat.sniff(zeros(4096)) == .unknown)
    #expect(MediaFormat.sniff([UInt8](repeating: 0xFF, count: 4096)) == .unknown)
    #expect(MediaFormat.sniff(Array("Dear reader, the picture is gone.".utf8)) == .unknown)
  }

  @Test(
    "Any prefix of a head is sniffed, and nothing is read beyond it", arguments: stills + containers
  )
  func prefixes(head: Head) {
    for length in 0...head.bytes.count {
      _ = MediaFormat.sniff(Array(head.bytes.prefix(length)))
    }
    #expect(MediaFormat.sniff(head.bytes) == head.format)
  }
}
