import Media
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15)))
struct PictureOutlineTests {
  private static let samples = [.jpeg, .png, .gif, .webp, .heic, .avif].flatMap {
    Samples.pictures($0).filter { ($0.size?.area ?? 0) > 1 }
  }

  @Test(arguments: samples)
  func `The announced size is that of the picture`(sample: Sample) throws {
    let bytes = try FileBytes.read(sample.path)
    let outline = try #require(PictureOutline(sample.format, bytes), "\(sample)")
    let size = try #require(sample.size)
    // A clean aperture shows less than is coded.
    if sample.name.contains("cropped") {
      #expect(try #require(outline.size.area) >= size.width * size.height)
    } else {
      #expect(outline.size == size || outline.size == size.transposed, "\(sample)")
    }
    if sample.name.contains("progressive") { #expect(outline.isInterlaced) }
    if sample.name.contains("baseline") { #expect(!outline.isInterlaced) }
  }

  @Test func `Any beginning of a file and any change of it is read within bounds`() throws {
    for sample in Self.samples {
      var bytes = Array(try FileBytes.read(sample.path).prefix(4096))
      for count in 0..<min(64, bytes.count) {
        _ = PictureOutline(sample.format, Array(bytes[..<count]))
      }
      for index in bytes.indices.prefix(256) {
        let byte = bytes[index]
        for value: UInt8 in [0, 0x7F, 0xFF] {
          bytes[index] = value
          if let outline = PictureOutline(sample.format, bytes) {
            #expect(outline.size.width > 0 && outline.size.height > 0)
          }
        }
        bytes[index] = byte
      }
    }
  }

  @Test func `A JPEG may hold a thumbnail where it has a large Exif segment`() throws {
    func jpeg(_ exif: Int) -> [UInt8] {
      let frame: [UInt8] = [0xFF, 0xC2, 0, 11, 8, 0, 20, 0, 30, 1, 1, 0x11, 0]
      let body = Array("Exif\0\0".utf8) + [UInt8](repeating: 0, count: exif)
      let length = [UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xFF)]
      return [0xFF, 0xD8, 0xFF, 0xE1] + length + body + frame
    }
    let large = try #require(PictureOutline(.jpeg, jpeg(3000)))
    #expect(large.mayHoldThumbnail && large.isInterlaced)
    #expect(large.size == PixelSize(width: 30, height: 20))
    #expect(try #require(PictureOutline(.jpeg, jpeg(200))).mayHoldThumbnail == false)
  }

  @Test func `A thumbnail to come is announced before the picture's data`() throws {
    func chunk(_ type: String, _ count: Int) -> [UInt8] {
      [0, 0, UInt8(count >> 8), UInt8(count & 0xFF)] + Array(type.utf8)
        + [UInt8](repeating: 1, count: count + 4)
    }
    func png(_ types: String...) throws -> PictureOutline {
      let chunks = types.flatMap { chunk($0, 300) }
      let bytes = [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + chunk("IHDR", 13) + chunks
      return try #require(PictureOutline(.png, bytes))
    }
    #expect(try png("gAMA", "eXIf", "IDAT").announcesThumbnail)
    #expect(try !png("gAMA", "IDAT", "eXIf").announcesThumbnail)
    #expect(try !png("tEXt").announcesThumbnail)
    func webp(_ flags: UInt8) throws -> PictureOutline {
      let bytes =
        Array("RIFF\0\0\0\0WEBPVP8X\u{A}\0\0\0".utf8) + [flags, 0, 0, 0, 9, 0, 0, 9, 0, 0]
      return try #require(PictureOutline(.webp, bytes))
    }
    // RFC 9649 §2.7: the E bit is the fourth from below; the L bit, the fifth, is that of alpha.
    #expect(try webp(0x08).announcesThumbnail && webp(0x3C).announcesThumbnail)
    #expect(try !webp(0x10).announcesThumbnail && !webp(0x34).announcesThumbnail)
  }

  @Test(arguments: [
    ("heic/grid.heic", MediaFormat.heic, true), ("avif/grid.avif", .avif, true),
    ("heic/single.heic", .heic, false),
  ])
  func `A grid announces that it is put together`(
    name: String, format: MediaFormat, isTiled: Bool
  ) throws {
    let bytes = try FileBytes.read(Project.path("media-samples/\(name)"))
    #expect(try #require(PictureOutline(format, bytes)).isTiled == isTiled)
  }

  @Test(arguments: Orientation.allCases)
  func `A part of a stored picture is found again in the displayed one, and back`(
    orientation: Orientation
  ) {
    let corner = UnitRectangle(x: 0, y: 0, width: 0.5, height: 0.25)
    #expect(corner.displayed(orientation).stored(orientation) == corner)
    // Where Exif's table puts the first row and column (Exif 2.32, tag 0x0112): left or right, top or
    // bottom.
    let places: [(Orientation, Double, Double)] = [
      (.up, 0, 0), (.upMirrored, 0.5, 0), (.down, 0.5, 0.75), (.downMirrored, 0, 0.75),
      (.leftMirrored, 0, 0), (.right, 0.75, 0), (.rightMirrored, 0.75, 0.5), (.left, 0, 0.5),
    ]
    for (known, x, y) in places where known == orientation {
      let shown = corner.displayed(orientation)
      #expect([shown.x, shown.y] == [x, y])
      #expect(shown.width == (orientation.swapsAxes ? 0.25 : 0.5))
    }
  }
}
