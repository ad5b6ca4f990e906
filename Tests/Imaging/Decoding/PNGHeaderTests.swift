import Imaging
import Media
import Testing

@Suite("PNG header", .timeLimit(.minutes(10)))
struct PNGHeaderTests {
  /// A 1 × 1 grey picture with chunks before its image data.
  private func header(
    _ limits: DecodeLimits = DecodeLimits(), width: Int = 1, chunks: (inout PNGBuilder) -> Void
  ) throws -> PictureHeader {
    var png = PNGBuilder()
    png.header(width, 1, depth: 8, colourType: 2)
    chunks(&png)
    png.imageData([[1, 2, 3]])
    png.end()
    let header = try decodePicture(png.bytes, as: .png, limits: limits).header
    return try #require(header)
  }

  @Test("a declared size beyond the limit is refused")
  func tooManyPixels() {
    #expect(throws: DecodeFailure.tooManyPixels(declared: 100_000, limit: 99_999)) {
      try header(DecodeLimits(maxPixels: 99_999), width: 100_000) { _ in }
    }
  }

  @Test("gAMA and cHRM that mean sRGB are not surfaced")
  func usualColours() throws {
    let header = try header {
      $0.chunk("gAMA", bigEndian(45_455, 4))
      $0.chunk(
        "cHRM",
        [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000].flatMap { bigEndian($0, 4) }
      )
    }
    #expect(header.gamma == nil)
    #expect(header.chromaticities == nil)
    #expect(header.facts.colorSpace == "sRGB")
  }

  @Test("gAMA and cHRM that differ from sRGB are surfaced, unless sRGB is declared")
  func declaredColours() throws {
    let white = Chromaticities.Point(x: 0.3127, y: 0.329)
    let chunks = { (png: inout PNGBuilder) in
      png.chunk("gAMA", bigEndian(100_000, 4))
      png.chunk(
        "cHRM",
        [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000].flatMap { bigEndian($0, 4) }
      )
    }
    let declared = try header(chunks: chunks)
    #expect(declared.gamma == 1)
    #expect(declared.chromaticities?.white == white)
    #expect(declared.chromaticities?.green == Chromaticities.Point(x: 0.265, y: 0.69))
    let overridden = try header {
      chunks(&$0)
      $0.chunk("sRGB", [0])
    }
    #expect(overridden.gamma == nil)
  }

  @Test("cICP gives its code points")
  func codePoints() throws {
    let header = try header { $0.chunk("cICP", [9, 16, 0, 1]) }
    #expect(header.codePoints == ColourCodePoints(primaries: 9, transfer: 16))
  }

  @Test("eXIf turns the picture, in either byte order", arguments: [false, true])
  func exif(bigEndianOrder: Bool) throws {
    let tiff: [UInt8] =
      bigEndianOrder
      ? [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
      : [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0]
    #expect(try header { $0.chunk("eXIf", tiff) }.facts.orientation == .right)
    for length in tiff.indices {
      #expect(throws: Never.self) { try header { $0.chunk("eXIf", Array(tiff.prefix(length))) } }
    }
  }

  @Test("an orientation outside 1…8 is none", arguments: [0, 9, 255] as [UInt8])
  func wrongOrientation(_ value: UInt8) throws {
    let tiff: [UInt8] = [
      0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0,
    ]
    #expect(try header { $0.chunk("eXIf", tiff) }.facts.orientation == .up)
  }

  @Test("acTL and fcTL give frames, loops and the duration that browsers play")
  func animation() throws {
    let frame = { (delay: Int, unit: Int) in
      [UInt8](repeating: 0, count: 20) + bigEndian(delay, 2) + bigEndian(unit, 2) + [0, 0]
    }
    let animated = try header {
      $0.chunk("acTL", bigEndian(3, 4) + bigEndian(7, 4))
      $0.chunk("fcTL", frame(1, 2))
      $0.chunk("fcTL", frame(25, 0))
      $0.chunk("fcTL", frame(0, 100))
    }
    #expect(animated.facts.frames == 3)
    #expect(animated.loopCount == 7)
    #expect(animated.facts.durationSeconds == 0.5 + 0.25 + 0.1)
  }

  @Test("more frames than the limit are refused")
  func tooManyFrames() {
    #expect(throws: DecodeFailure.tooManyFrames(declared: 1001, limit: 1000)) {
      try header {
        $0.chunk("acTL", bigEndian(1001, 4) + bigEndian(0, 4))
        $0.chunk("fcTL", [UInt8](repeating: 0, count: 26))
      }
    }
  }

  @Test("Apple's CgBI is refused by its name")
  func cgbi() throws {
    var png = PNGBuilder()
    png.chunk("CgBI", [0x50, 0, 0x20, 2])
    png.header(1, 1, depth: 8, colourType: 2)
    let bytes = png.bytes
    let failure = #expect(throws: DecodeFailure.self) { try decodePicture(bytes, as: .png) }
    guard case .unsupported(let message) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(message.contains("CgBI"))
  }

  @Test("chunks that no picture needs cost nothing, whatever they claim")
  func skippedChunks() throws {
    let header = try header {
      $0.chunk("sPLT", [65, 0, 8])
      $0.chunk("zTXt", [65, 0, 0, 1, 2, 3])
      $0.chunk("iCCP", [65, 0, 0] + zlibStored([1, 2, 3]))
    }
    #expect(header.iccProfile == nil)
  }
}
