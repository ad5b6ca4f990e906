import Imaging
import Media
import TestSupport
import Testing

@Suite("JPEG metadata", .timeLimit(.minutes(10)))
struct JPEGMetadataTests {
  /// A small picture with segments put in after its first marker.
  private func header(_ segments: [[UInt8]], _ options: [String] = []) async throws -> PictureHeader
  {
    let plain = try await JPEGDecoderTests.encode(options)
    let bytes = Array(plain.prefix(2)) + segments.joined() + plain.dropFirst(2)
    return try #require(try decodePicture(bytes, as: .jpeg).header)
  }

  private func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker] + bigEndian(payload.count + 2, 2) + payload
  }

  private func exif(_ tiff: [UInt8]) -> [UInt8] { segment(0xE1, Array("Exif\0\0".utf8) + tiff) }

  private func profilePart(_ number: UInt8, of count: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    segment(0xE2, Array("ICC_PROFILE\0".utf8) + [number, count] + bytes)
  }

  @Test("Exif orientation is read in both byte orders", arguments: 1...8 as ClosedRange<UInt8>)
  func orientation(_ value: UInt8) async throws {
    let big: [UInt8] = [
      0x4D, 0x4D, 0, 42, 0, 0, 0, 10, 9, 9, 0, 2, 1, 0, 0, 3, 0, 0, 0, 1, 0, 5, 0, 0,
      1, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0,
    ]
    let little: [UInt8] = [
      0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, value, 0, 0, 0,
    ]
    #expect(try await header([exif(big)]).facts.orientation.rawValue == value)
    #expect(try await header([exif(little)]).facts.orientation.rawValue == value)
  }

  @Test("an orientation outside 1…8 and a directory outside its block are none")
  func wrongOrientation() async throws {
    let zero: [UInt8] = [
      0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0,
    ]
    #expect(try await header([exif(zero)]).facts.orientation == .up)
    let outside: [UInt8] = [0x4D, 0x4D, 0, 42, 0xFF, 0xFF, 0xFF, 0xFF]
    #expect(try await header([exif(outside)]).facts.orientation == .up)
  }

  @Test("the first Exif block counts, and XMP is none")
  func firstExif() async throws {
    let tiff = { (value: UInt8) in
      [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, value, 0, 0, 0] as [UInt8]
    }
    let xmp = segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8))
    #expect(try await header([xmp, exif(tiff(6)), exif(tiff(3))]).facts.orientation == .right)
  }

  @Test("profile parts are joined in the order of their numbers")
  func profile() async throws {
    let parts = [profilePart(2, of: 2, [3, 4]), profilePart(1, of: 2, [1, 2])]
    #expect(try await header(parts).iccProfile == [1, 2, 3, 4])
  }

  @Test("a profile with a missing, double or miscounted part is none")
  func brokenProfile() async throws {
    let first = profilePart(1, of: 2, [1, 2])
    #expect(try await header([first]).iccProfile == nil)
    #expect(try await header([first, first]).iccProfile == nil)
    #expect(try await header([first, profilePart(2, of: 3, [3])]).iccProfile == nil)
    #expect(try await header([profilePart(0, of: 0, [3])]).iccProfile == nil)
    #expect(try await header([profilePart(0, of: 1, [3])]).iccProfile == nil)
  }

  @Test("an embedded profile gives its name")
  func profileName() async throws {
    var profile = [UInt8](repeating: 0, count: 128)
    profile += bigEndian(1, 4) + Array("desc".utf8) + bigEndian(144, 4) + bigEndian(23, 4)
    profile += Array("desc".utf8) + bigEndian(0, 4) + bigEndian(11, 4) + Array("Display P3\0".utf8)
    let facts = try await header([profilePart(1, of: 1, profile)]).facts
    #expect(facts.colorSpace == "Display P3")
  }

  @Test("CMYK comes with 0 for no ink, from an inverted Adobe file")
  func cmyk() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.path(of: "cmyk.jpg")
    let script =
      "import sys; from PIL import Image; "
      + "Image.new('CMYK', (16, 16), (200, 100, 50, 0)).save(sys.argv[1], quality=100)"
    let outcome = try await Command("/usr/bin/python3", ["-c", script, path]).run()
    #expect(outcome.ending == .exited(0), "\(outcome.errorText)")
    let picture = try decodePicture(try folder.read("cmyk.jpg"), as: .jpeg)
    #expect(picture.raster?.model == .cmyk)
    #expect(picture.header?.facts.colorSpace == "CMYK")
    for (sample, expected) in zip(picture.planes[0].prefix(4), [200, 100, 50, 0] as [UInt16]) {
      #expect(abs(Int(sample) - Int(expected)) <= 1)
    }
  }
}
