import HEIFImaging
import Imaging
import Media
import TestSupport
import Testing

@Suite("Pixels of HEIC and AVIF") struct PixelTests {
  @Test("A HEIC gives the encoded picture back")
  func heic() async throws {
    let picture = TestPicture.waves(width: 128, height: 96)
    let decoded = try decode(try await picture.heic())
    #expect(decoded.header.facts.format == .heic)
    #expect(decoded.header.facts.codecs == ["hevc"])
    #expect(decoded.header.facts.storedSize == PixelSize(width: 128, height: 96))
    #expect(try #require(decoded.pixels.psnr(to: picture.pixelMap)) >= 40)
  }

  @Test("An AVIF gives the encoded picture back", arguments: ["444", "422", "420"])
  func avif(_ subsampling: String) async throws {
    let picture = TestPicture.waves(width: 128, height: 96)
    let decoded = try decode(try await picture.avif("-y", subsampling))
    #expect(decoded.header.facts.format == .avif)
    #expect(decoded.header.facts.codecs == ["av1"])
    #expect(try #require(decoded.pixels.psnr(to: picture.pixelMap)) >= 40)
  }

  @Test(
    "Limited range and every usual matrix give the same picture",
    arguments: ["limited", "full"], ["1/13/1", "1/13/5", "1/13/6", "9/16/9", "2/2/2", "12/13/6"])
  func coding(range: String, points: String) async throws {
    let picture = TestPicture.waves(width: 64, height: 64)
    let decoded = try decode(try await picture.avif("-r", range, "--nclx", points))
    #expect(try #require(decoded.pixels.psnr(to: picture.pixelMap)) >= 38)
  }

  @Test("Gray stays gray, in either range", arguments: ["limited", "full"])
  func gray(range: String) async throws {
    let picture = TestPicture.waves(width: 64, height: 64)
    let decoded = try decode(try await picture.avif("-y", "400", "-r", range))
    #expect(decoded.header.facts.colorSpace == "gray")
    #expect(decoded.raster.model == .gray)
    // Luma of BT.601.
    let expected = stride(from: 0, to: picture.samples.count, by: 3).map { index in
      0.299 * Double(picture.samples[index]) + 0.587 * Double(picture.samples[index + 1]) + 0.114
        * Double(picture.samples[index + 2])
    }
    let largest = zip(decoded.pixels.samples, expected).map { abs(Double($0) - $1) }.max()
    #expect(try #require(largest) <= 5)
  }

  @Test("10 and 12 bits fill all 16", arguments: [10, 12])
  func depth(bits: Int) async throws {
    let picture = TestPicture.waves(width: 64, height: 64)
    let decoded = try decode(try await picture.avif("-d", "\(bits)"))
    #expect(decoded.header.facts.bitDepth == bits)
    #expect(decoded.raster.depth == .sixteen)
    let largest = zip(decoded.deep, picture.samples).map { abs(Int($0) - Int($1) * 257) }.max()
    #expect(try #require(largest) <= 257 * 4)
  }

  @Test("Alpha is straight, however it was stored", arguments: [false, true])
  func alpha(isPremultiplied: Bool) async throws {
    let picture = TestPicture.waves(width: 64, height: 64, hasAlpha: true)
    let decoded = try decode(
      try await isPremultiplied ? picture.avif("--premultiply") : picture.avif())
    #expect(decoded.header.facts.hasAlpha)
    #expect(decoded.raster.hasAlpha)
    for x in [0, 20, 40, 63] {
      #expect(abs(Int(decoded.pixels[x, 30][3]) - 255 * x / 63) <= 1)
    }
    // Where hardly anything is opaque, hardly anything is left of a premultiplied colour.
    for x in [20, 40, 63] {
      for (ours, original) in zip(decoded.pixels[x, 30], picture.pixelMap[x, 30]) {
        #expect(abs(Int(ours) - Int(original)) <= 6)
      }
    }
  }

  /// A gray AVIF's bitstream as the alpha of another one.
  private func withAlpha(_ range: String) async throws -> [UInt8] {
    let size = PixelSize(width: 64, height: 64)
    let colours = try await TestPicture.waves(width: size.width, height: size.height).avif()
    let flat = [UInt8](repeating: 200, count: size.width * size.height * 3)
    let gray = try await TestPicture(
      width: size.width, height: size.height, components: 3, samples: flat
    ).avif("-y", "400", "-r", range)
    let item = { (file: [UInt8], properties: [Int]) throws in
      SyntheticFile.Item(
        type: "av01", data: Array(try #require(file.box("mdat")).dropFirst(8)),
        properties: properties)
    }
    let urn = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"
    return SyntheticFile(
      items: [try item(colours, [1, 2]), try item(gray, [1, 3, 4])],
      properties: [
        SyntheticFile.size(size.width, size.height), try #require(colours.box("av1C")),
        try #require(gray.box("av1C")),
        SyntheticFile.box("auxC", SyntheticFile.number(0, 4), Array(urn.utf8), [0]),
      ],
      references: [.init(type: "auxl", from: 2, to: [1])], brand: "avif"
    ).bytes
  }

  @Test(
    "Alpha of a limited range is as opaque as its bitstream means it",
    arguments: ["limited", "full"])
  func alphaRange(range: String) async throws {
    let decoded = try decode(try await withAlpha(range))
    #expect(decoded.raster.hasAlpha)
    #expect(abs(Int(decoded.pixels[30, 30][3]) - 200) <= 2)
  }

  @Test("Code points and ICC profile are handed on")
  func colour() async throws {
    let picture = TestPicture.waves(width: 64, height: 64)
    let header = try header(of: try await picture.avif("-d", "10", "--nclx", "9/16/9"))
    #expect(header.codePoints == ColourCodePoints(primaries: 9, transfer: 16))
    #expect(header.facts.colorSpace == "BT.2100 PQ")
  }
}
