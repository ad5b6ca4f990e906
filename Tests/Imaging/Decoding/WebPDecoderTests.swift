import Imaging
import Media
import TestSupport
import Testing

@Suite("WebP decoder", .timeLimit(.minutes(10)))
struct WebPDecoderTests {
  private static let width = 67
  private static let height = 45

  /// RGBA samples with a gradient in each component.
  private static let pixels: [UInt8] = {
    var samples: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        samples += [UInt8(x * 3), UInt8(y * 5), UInt8((x + y) * 2), UInt8(x * 255 / (width - 1))]
      }
    }
    return samples
  }()

  /// A PNG of the samples, with or without alpha.
  private static func png(alpha: Bool) -> [UInt8] {
    var png = PNGBuilder()
    png.header(width, height, depth: 8, colourType: alpha ? 6 : 2)
    png.imageData(
      (0..<height).map { y in
        (0..<width * 4).filter { alpha || $0 % 4 < 3 }.map { pixels[y * width * 4 + $0] }
      })
    png.end()
    return png.bytes
  }

  private static func encode(_ options: [String], alpha: Bool) async throws -> [UInt8] {
    let folder = try TemporaryDirectory()
    let path = try folder.write(png(alpha: alpha), to: "picture.png")
    let output = folder.path(of: "picture.webp")
    let outcome = try await Command.tool("cwebp", ["-quiet"] + options + [path, "-o", output]).run()
    #expect(outcome.ending == .exited(0), "\(outcome.errorText)")
    return try folder.read("picture.webp")
  }

  /// Frames put together by libwebp's own tool: their options, in its syntax.
  private static func animation(_ frames: [String], _ options: [String] = []) async throws
    -> [UInt8]
  {
    let folder = try TemporaryDirectory()
    let path = try folder.write(try await encode(["-lossless"], alpha: false), to: "frame.webp")
    let output = folder.path(of: "animation.webp")
    let arguments = frames.flatMap { ["-frame", path, $0] } + options + ["-o", output]
    let outcome = try await Command.tool("webpmux", arguments).run()
    #expect(outcome.ending == .exited(0), "\(outcome.errorText)")
    return try folder.read("animation.webp")
  }

  @Test("lossless pictures come back exactly", arguments: [false, true])
  func lossless(alpha: Bool) async throws {
    let bytes = try await Self.encode(["-lossless", "-exact"], alpha: alpha)
    let picture = try decodePicture(bytes, as: .webp)
    #expect(picture.failure == nil)
    #expect(picture.raster?.hasAlpha == alpha)
    #expect(picture.header?.facts.hasAlpha == alpha)
    let expected = Self.pixels.enumerated().filter { alpha || $0.offset % 4 < 3 }.map(\.element)
    #expect(picture.bytes == expected)
  }

  @Test("an opaque lossy picture comes as full-range planes")
  func lossy() async throws {
    let bytes = try await Self.encode(["-q", "90"], alpha: false)
    let picture = try decodePicture(bytes, as: .webp)
    #expect(picture.isWhole)
    #expect(picture.raster?.model == .yCbCr)
    let chroma = PixelSize(width: 34, height: 23)
    #expect(
      picture.raster?.planes.map(\.size) == [
        PixelSize(width: Self.width, height: Self.height), chroma, chroma,
      ])
    let folder = try TemporaryDirectory()
    let path = try folder.write(bytes, to: "picture.webp")
    let limited = try await ReferenceDecoder.samples(of: path, as: "yuv420p")
    let lumaCount = Self.width * Self.height
    let expected = limited.enumerated().map { index, sample in
      let wide =
        index < lumaCount
        ? (Double(sample) - 16) * 255 / 219 : (Double(sample) - 128) * 255 / 224 + 128
      return UInt8(max(0, min(255, wide.rounded())))
    }
    #expect(picture.bytes == expected)
  }

  @Test("a lossy picture with alpha comes as straight RGBA")
  func lossyAlpha() async throws {
    let bytes = try await Self.encode(["-q", "95", "-exact"], alpha: true)
    let picture = try decodePicture(bytes, as: .webp)
    #expect(picture.isWhole)
    #expect(picture.raster?.hasAlpha == true)
    let alpha = picture.bytes.enumerated().filter { $0.offset % 4 == 3 }.map(\.element)
    #expect(alpha == Self.pixels.enumerated().filter { $0.offset % 4 == 3 }.map(\.element))
    #expect(try #require(decibels(picture.bytes, Self.pixels)) > 33)
  }

  @Test("an animation gives its first frame on the canvas, and its facts")
  func animation() async throws {
    let bytes = try await Self.animation(["+10", "+70", "+300+6+4"], ["-loop", "3"])
    let picture = try decodePicture(bytes, as: .webp)
    let header = try #require(picture.header)
    #expect(header.facts.frames == 3)
    #expect(header.facts.durationSeconds == 0.1 + 0.07 + 0.3)
    #expect(header.loopCount == 3)
    #expect(header.facts.storedSize == PixelSize(width: Self.width + 6, height: Self.height + 4))
    #expect(picture.raster?.hasAlpha == true)
    let inside = picture.bytes.prefix(4)
    #expect(inside.elementsEqual(Self.pixels.prefix(3) + [255]))
    #expect(picture.bytes.suffix(4).elementsEqual([0, 0, 0, 0]))
  }

  @Test("an animation whose first frame covers the canvas is opaque")
  func coveringAnimation() async throws {
    let bytes = try await Self.animation(["+100", "+100"])
    let picture = try decodePicture(bytes, as: .webp)
    #expect(picture.raster?.hasAlpha == false)
    let expected = Self.pixels.enumerated().filter { $0.offset % 4 < 3 }.map(\.element)
    #expect(picture.bytes == expected)
  }

  @Test("more frames than the limit are refused")
  func tooManyFrames() async throws {
    let bytes = try await Self.animation(["+100", "+100", "+100"])
    #expect(throws: DecodeFailure.tooManyFrames(declared: 3, limit: 2)) {
      try decodePicture(bytes, as: .webp, limits: DecodeLimits(maxFrames: 2))
    }
  }

  @Test("a declared size beyond the limit is refused")
  func tooManyPixels() async throws {
    let bytes = try await Self.encode([], alpha: false)
    #expect(throws: DecodeFailure.tooManyPixels(declared: 3015, limit: 3014)) {
      try decodePicture(bytes, as: .webp, limits: DecodeLimits(maxPixels: 3014))
    }
  }

  @Test(
    "every truncation is a picture or a typed failure, and rows that came are right",
    arguments: [["-lossless"], ["-q", "80"]], [false, true])
  func truncations(_ options: [String], alpha: Bool) async throws {
    let whole = try await Self.encode(options, alpha: alpha)
    let expected = try decodePicture(whole, as: .webp)
    for length in 0..<whole.count {
      guard let picture = try? decodePicture(Array(whole.prefix(length)), as: .webp),
        let plane = picture.planes.first
      else { continue }
      if picture.failure == nil { #expect(picture.planes == expected.planes, "\(length)") }
      #expect(plane.elementsEqual(expected.planes[0].prefix(plane.count)), "\(length)")
    }
  }
}
