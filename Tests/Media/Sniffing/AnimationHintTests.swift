import Media
import Testing

@Suite struct AnimationHintTests {
  static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
    [0, 0, 0, UInt8(body.count)] + Array(type.utf8) + body + [0, 0, 0, 0]
  }

  static let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", zeros(13))

  static func webp(_ chunk: String, flags: UInt8) -> [UInt8] {
    Array("RIFF....WEBP\(chunk)".utf8) + [10, 0, 0, 0, flags] + zeros(9)
  }

  /// A 1 × 1 image with an empty chain of data.
  static let gifImage: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 1, 0x44, 0]
  static let gifScreen: [UInt8] = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0] + zeros(6)

  @Test(
    arguments: [
      (chunk("acTL", zeros(8)) + chunk("IDAT", [1]), true),
      (chunk("tEXt", [1, 2]) + chunk("acTL", zeros(8)), true),
      (chunk("IDAT", [1]) + chunk("acTL", zeros(8)), false),
      (chunk("tEXt", [1, 2]), nil),
    ] as [([UInt8], Bool?)])
  func `APNG announces itself before its data`(chunks: [UInt8], expected: Bool?) {
    #expect(MediaFormat.png.announcesAnimation(Self.png + chunks) == expected)
  }

  @Test func `A chunk that claims more than there is ends the search`() {
    let lie: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF] + Array("tEXt".utf8)
    #expect(MediaFormat.png.announcesAnimation(Self.png + lie) == nil)
  }

  @Test func `WebP tells by one bit of VP8X`() {
    #expect(MediaFormat.webp.announcesAnimation(Self.webp("VP8X", flags: 0x02)) == true)
    #expect(MediaFormat.webp.announcesAnimation(Self.webp("VP8X", flags: 0x3D)) == false)
    #expect(MediaFormat.webp.announcesAnimation(Self.webp("VP8 ", flags: 0x02)) == false)
    #expect(MediaFormat.webp.announcesAnimation(Array("RIFF....WEBP".utf8)) == nil)
  }

  @Test func `GIF tells by its second image`() {
    let control: [UInt8] = [0x21, 0xF9, 4, 0, 10, 0, 0, 0]
    let one = Self.gifScreen + control + Self.gifImage
    #expect(MediaFormat.gif.announcesAnimation(one + control + Self.gifImage) == true)
    #expect(MediaFormat.gif.announcesAnimation(one + [0x3B]) == false)
    #expect(MediaFormat.gif.announcesAnimation(one) == nil)
  }

  @Test func `HEIF tells by its major brand`() {
    #expect(MediaFormat.avif.announcesAnimation(fileType("avis", "avif")) == true)
    #expect(MediaFormat.avif.announcesAnimation(fileType("avif", "mif1")) == false)
    #expect(MediaFormat.heic.announcesAnimation(fileType("hevc", "heic")) == true)
    #expect(MediaFormat.heic.announcesAnimation(fileType("heic", "mif1")) == false)
  }
}
