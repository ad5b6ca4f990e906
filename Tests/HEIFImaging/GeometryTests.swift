import HEIFImaging
import Imaging
import Media
import TestSupport
import Testing

@Suite("Geometry of HEIC and AVIF") struct GeometryTests {
  /// The fields' names in the order upper left, upper right, lower left, lower right.
  private func fields(_ map: PixelMap) -> String {
    let (left, right) = (map.width / 4, map.width * 3 / 4)
    let (top, bottom) = (map.height / 4, map.height * 3 / 4)
    return [(left, top), (right, top), (left, bottom), (right, bottom)].map { x, y in
      switch map[x, y].map({ $0 > 127 }) {
      case [true, false, false]: "R"
      case [false, true, false]: "G"
      case [false, false, true]: "B"
      case [true, true, true]: "W"
      default: "?"
      }
    }.joined()
  }

  @Test(
    "Turns go anti-clockwise, and are carried out once",
    arguments: [("0", "RGBW"), ("1", "GWRB"), ("2", "WBGR"), ("3", "BRWG")])
  func rotation(turns: String, expected: String) async throws {
    let file = try await TestPicture.quadrants(width: 64, height: 48).avif("--irot", turns)
    let decoded = try decode(file)
    #expect(fields(decoded.pixels) == expected)
    #expect(decoded.header.facts.orientation == .up)
    let size = PixelSize(width: 64, height: 48)
    #expect(
      decoded.header.facts.storedSize == (turns == "1" || turns == "3" ? size.transposed : size))
    #expect(decoded.raster.size == decoded.header.rasterSize)
  }

  @Test(
    "Mirrors swap top and bottom, or left and right",
    arguments: [("0", "BWRG"), ("1", "GRWB")])
  func mirror(axis: String, expected: String) async throws {
    let decoded = try decode(
      try await TestPicture.quadrants(width: 64, height: 48).avif("--imir", axis))
    #expect(fields(decoded.pixels) == expected)
  }

  @Test("Rotation comes before mirror")
  func both() async throws {
    let decoded = try decode(
      try await TestPicture.quadrants(width: 64, height: 48).avif("--irot", "1", "--imir", "1"))
    // GWRB after the turn; then left and right change places.
    #expect(fields(decoded.pixels) == "WGBR")
  }

  @Test("Deep pictures turn and mirror too")
  func deep() async throws {
    let picture = TestPicture.quadrants(width: 64, height: 48)
    let turned = try decode(try await picture.avif("-d", "10", "--irot", "1"))
    #expect(fields(turned.pixels) == "GWRB")
  }

  @Test("A clean aperture cuts exactly its part")
  func cleanAperture() async throws {
    let picture = TestPicture.quadrants(width: 64, height: 48)
    let decoded = try decode(try await picture.avif("--crop", "30,8,20,12"))
    #expect(decoded.header.facts.storedSize == PixelSize(width: 20, height: 12))
    #expect(decoded.raster.size == PixelSize(width: 20, height: 12))
    // Two columns of the red field, eighteen of the green one.
    #expect(decoded.pixels[0, 6][0] > 127)
    #expect(decoded.pixels[3, 6][1] > 127)
  }

  @Test("An odd size of a HEIC is cut to by its clean aperture")
  func oddSize() async throws {
    let picture = TestPicture.waves(width: 101, height: 77)
    let decoded = try decode(try await picture.heic())
    #expect(decoded.header.facts.storedSize == PixelSize(width: 101, height: 77))
    #expect(try #require(decoded.pixels.psnr(to: picture.pixelMap)) >= 38)
  }

  @Test("An AVIF grid is put together in reading order")
  func avifGrid() async throws {
    let picture = TestPicture.waves(width: 256, height: 192)
    let decoded = try decode(try await picture.avif("--grid", "2x2"))
    #expect(decoded.header.facts.storedSize == PixelSize(width: 256, height: 192))
    #expect(try #require(decoded.pixels.psnr(to: picture.pixelMap)) >= 38)
  }

  @Test("A HEIC grid is put together in reading order, and cut to its size")
  func heicGrid() async throws {
    let picture = TestPicture.waves(width: 192, height: 128)
    let file = try await HEICGrid(picture, tile: 64, width: 180, height: 100).file.bytes
    let decoded = try decode(file)
    let expected = picture.cut(x: 0, y: 0, width: 180, height: 100)
    #expect(decoded.header.facts.storedSize == PixelSize(width: 180, height: 100))
    #expect(try #require(decoded.pixels.psnr(to: expected.pixelMap)) >= 38)
  }

  @Test("The embedded thumbnail is had without the picture")
  func thumbnail() async throws {
    let picture = TestPicture.quadrants(width: 256, height: 192)
    let decoded = try decode(try await picture.heic("-t", "64"), source: .embeddedThumbnail)
    #expect(decoded.raster.size == PixelSize(width: 64, height: 48))
    #expect(fields(decoded.pixels) == "RGBW")
  }
}
