import Imaging
import Media
import TestSupport
import Testing

@Suite("GIF decoder", .timeLimit(.minutes(10)))
struct GIFDecoderTests {
  /// Black, red, green, blue.
  private static let palette: [UInt8] = [0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255]
  private static let clear: [UInt16] = [0, 0, 0, 0]
  private static let red: [UInt16] = [255, 0, 0, 255]
  private static let green: [UInt16] = [0, 255, 0, 255]
  private static let blue: [UInt16] = [0, 0, 255, 255]

  @Test("a frame that covers the screen is opaque RGB")
  func opaque() throws {
    var gif = GIFBuilder(2, 2, palette: Self.palette)
    gif.frame([[0, 1], [2, 3]])
    gif.end()
    let picture = try decodePicture(gif.bytes, as: .gif)
    #expect(picture.failure == nil)
    #expect(
      picture.header?.facts
        == PictureFacts(format: .gif, storedSize: PixelSize(width: 2, height: 2)))
    #expect(picture.raster?.hasAlpha == false)
    #expect(picture.planes == [[0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255]])
  }

  @Test("what no frame draws, and the transparent index, is transparent")
  func placed() throws {
    var gif = GIFBuilder(3, 2, palette: Self.palette)
    gif.control(transparent: 2)
    gif.frame(left: 1, top: 1, [[1, 2]])
    gif.end()
    let picture = try decodePicture(gif.bytes, as: .gif)
    #expect(picture.header?.facts.hasAlpha == true)
    let empty = [Self.clear, Self.clear, Self.clear].flatMap { $0 }
    #expect(picture.planes == [empty + Self.clear + Self.red + Self.clear])
  }

  @Test("a frame outside the screen is clipped")
  func clipped() throws {
    var gif = GIFBuilder(2, 2, palette: Self.palette)
    gif.frame(left: 1, top: 1, [[1, 2, 2], [2, 2, 2], [2, 2, 2]])
    gif.end()
    let picture = try decodePicture(gif.bytes, as: .gif)
    #expect(picture.planes == [Self.clear + Self.clear + Self.clear + Self.red])
  }

  @Test("a local palette goes before the global one")
  func localPalette() throws {
    var gif = GIFBuilder(1, 1, palette: Self.palette)
    gif.frame([[1]], palette: [1, 2, 3, 4, 5, 6])
    gif.end()
    #expect(try decodePicture(gif.bytes, as: .gif).planes == [[4, 5, 6]])
  }

  @Test("a file without any palette is grey, indices without a colour are black")
  func noPalette() throws {
    var gif = GIFBuilder(2, 1)
    gif.frame([[7, 100]])
    gif.end()
    #expect(try decodePicture(gif.bytes, as: .gif).planes == [[7, 7, 7, 100, 100, 100]])
    var short = GIFBuilder(2, 1, palette: Self.palette)
    short.frame([[1, 9]])
    short.end()
    #expect(try decodePicture(short.bytes, as: .gif).planes == [[255, 0, 0, 0, 0, 0]])
  }

  @Test("interlaced lines come in reading order")
  func interlaced() throws {
    let order = [0, 8, 4, 2, 6, 10, 1, 3, 5, 7, 9]
    var gif = GIFBuilder(1, 11)
    gif.frame(order.map { [UInt8($0)] }, interlaced: true)
    gif.end()
    let expected = (0..<11).flatMap { [UInt16($0), UInt16($0), UInt16($0)] }
    #expect(try decodePicture(gif.bytes, as: .gif).planes == [expected])
  }

  @Test("frames, loops and the duration that browsers play are counted")
  func animation() throws {
    var gif = GIFBuilder(1, 1, palette: Self.palette)
    gif.loop(4)
    for delay in [0, 1, 2, 50] {
      gif.control(hundredths: delay)
      gif.frame([[1]])
    }
    gif.end()
    let header = try #require(try decodePicture(gif.bytes, as: .gif).header)
    #expect(header.facts.frames == 4)
    #expect(header.facts.durationSeconds == 0.1 + 0.1 + 0.02 + 0.5)
    #expect(header.loopCount == 5)
  }

  @Test("more frames than the limit are refused")
  func tooManyFrames() {
    var gif = GIFBuilder(1, 1, palette: Self.palette)
    for _ in 0..<4 { gif.frame([[1]]) }
    gif.end()
    let bytes = gif.bytes
    #expect(throws: DecodeFailure.tooManyFrames(declared: 4, limit: 3)) {
      try decodePicture(bytes, as: .gif, limits: DecodeLimits(maxFrames: 3))
    }
  }

  @Test("a declared screen or frame beyond the limit is refused")
  func tooManyPixels() {
    let screen = GIFBuilder(65_535, 65_535).bytes
    #expect(throws: DecodeFailure.tooManyPixels(declared: 65_535 * 65_535, limit: 100_000_000)) {
      try decodePicture(screen, as: .gif)
    }
    let frame = GIFBuilder(1, 1).bytes + [0x2C, 0, 0, 0, 0, 255, 255, 255, 255, 0, 7, 0]
    #expect(throws: DecodeFailure.tooManyPixels(declared: 65_535 * 65_535, limit: 100_000_000)) {
      try decodePicture(frame, as: .gif)
    }
  }

  @Test("a file without a frame is corrupt")
  func noFrame() {
    var gif = GIFBuilder(1, 1, palette: Self.palette)
    gif.end()
    let bytes = gif.bytes
    #expect(throws: DecodeFailure.corrupt("a GIF without a frame")) {
      try decodePicture(bytes, as: .gif)
    }
  }

  @Test("every truncation is a picture or a typed failure, and rows that came are right")
  func truncations() throws {
    var gif = GIFBuilder(40, 60)
    gif.frame((0..<60).map { y in (0..<40).map { x in UInt8((x * y) % 128) } })
    gif.end()
    let expected = try decodePicture(gif.bytes, as: .gif).planes[0]
    for length in 0..<gif.bytes.count {
      guard let picture = try? decodePicture(Array(gif.bytes.prefix(length)), as: .gif),
        let plane = picture.planes.first
      else { continue }
      #expect(plane.elementsEqual(expected.prefix(plane.count)), "\(length)")
      if picture.failure == nil { #expect(plane.count == expected.count, "\(length)") }
    }
    let half = try decodePicture(Array(gif.bytes.prefix(gif.bytes.count / 2)), as: .gif)
    // The library reads whole sub-blocks of 255 bytes.
    #expect((20...30).contains(half.rows))
    guard case .truncated = half.failure else {
      Issue.record("\(String(describing: half.failure))")
      return
    }
  }

  @Test("an interlaced frame that ends early repeats the lines that came")
  func interlacedTruncation() throws {
    let order = [0, 8, 4, 12, 2, 6, 10, 14, 1, 3, 5, 7, 9, 11, 13, 15]
    var gif = GIFBuilder(100, 16)
    gif.frame(order.map { [UInt8](repeating: UInt8($0), count: 100) }, interlaced: true)
    // Header 13, descriptor 10, code size; two sub-blocks of 255 codes are lines 0, 8, 4, 12, 2
    // and four samples.
    let picture = try decodePicture(Array(gif.bytes.prefix(13 + 10 + 1 + 2 * 256)), as: .gif)
    guard case .truncated = picture.failure else {
      Issue.record("\(String(describing: picture.failure))")
      return
    }
    let lines: [UInt16] = [0, 0, 2, 2, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12]
    let expected = lines.flatMap { [UInt16](repeating: $0, count: 300) }
    #expect(picture.planes == [expected])
  }
}
