import Imaging
import Media
import Testing

@Suite("PNG decoder", .timeLimit(.minutes(10)))
struct PNGDecoderTests {
  /// One 3 × 2 picture of a colour type and depth, and the samples that must come out.
  struct Kind: Sendable, CustomTestStringConvertible {
    var name: String
    var depth: Int
    var colourType: Int
    var lines: [[UInt8]]
    var palette: [UInt8]?
    var transparency: [UInt8]?
    var model: ColourModel
    var components: Int
    var samples: [UInt16]

    var testDescription: String { name }
  }

  static let kinds: [Kind] = [
    Kind(
      name: "1-bit grey", depth: 1, colourType: 0, lines: [[0b1010_0000], [0b0110_0000]],
      model: .gray, components: 1, samples: [255, 0, 255, 0, 255, 255]),
    Kind(
      name: "2-bit grey", depth: 2, colourType: 0, lines: [[0b0001_1000], [0b1100_0100]],
      model: .gray, components: 1, samples: [0, 85, 170, 255, 0, 85]),
    Kind(
      name: "4-bit grey", depth: 4, colourType: 0, lines: [[0x01, 0x20], [0xF7, 0x30]],
      model: .gray, components: 1, samples: [0, 17, 34, 255, 119, 51]),
    Kind(
      name: "8-bit grey", depth: 8, colourType: 0, lines: [[1, 2, 3], [4, 5, 6]],
      model: .gray, components: 1, samples: [1, 2, 3, 4, 5, 6]),
    Kind(
      name: "8-bit grey with a transparent value", depth: 8, colourType: 0,
      lines: [[1, 2, 3], [4, 2, 6]], transparency: [0, 2], model: .gray, components: 2,
      samples: [1, 255, 2, 0, 3, 255, 4, 255, 2, 0, 6, 255]),
    Kind(
      name: "4-bit grey with a transparent value", depth: 4, colourType: 0,
      lines: [[0x12, 0x30], [0xF2, 0x40]], transparency: [0, 2], model: .gray, components: 2,
      samples: [17, 255, 34, 0, 51, 255, 255, 255, 34, 0, 68, 255]),
    Kind(
      name: "16-bit grey", depth: 16, colourType: 0,
      lines: [[1, 2, 3, 4, 5, 6], [255, 254, 0, 1, 128, 0]], model: .gray, components: 1,
      samples: [0x0102, 0x0304, 0x0506, 0xFFFE, 1, 0x8000]),
    Kind(
      name: "8-bit RGB", depth: 8, colourType: 2,
      lines: [[1, 2, 3, 4, 5, 6, 7, 8, 9], [9, 8, 7, 6, 5, 4, 3, 2, 1]], model: .rgb,
      components: 3, samples: [1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 8, 7, 6, 5, 4, 3, 2, 1]),
    Kind(
      name: "2-bit palette", depth: 2, colourType: 3, lines: [[0b0001_1000], [0b0010_0100]],
      palette: [1, 2, 3, 40, 50, 60, 250, 251, 252], model: .rgb, components: 3,
      samples: [1, 2, 3, 40, 50, 60, 250, 251, 252, 1, 2, 3, 250, 251, 252, 40, 50, 60]),
    Kind(
      name: "8-bit palette with alpha", depth: 8, colourType: 3, lines: [[0, 1, 0], [1, 0, 1]],
      palette: [1, 2, 3, 40, 50, 60], transparency: [77], model: .rgb, components: 4,
      samples: [
        1, 2, 3, 77, 40, 50, 60, 255, 1, 2, 3, 77, 40, 50, 60, 255, 1, 2, 3, 77, 40, 50, 60, 255,
      ]),
    Kind(
      name: "8-bit grey with alpha", depth: 8, colourType: 4,
      lines: [[1, 10, 2, 20, 3, 30], [4, 40, 5, 50, 6, 60]], model: .gray, components: 2,
      samples: [1, 10, 2, 20, 3, 30, 4, 40, 5, 50, 6, 60]),
    Kind(
      name: "8-bit RGBA", depth: 8, colourType: 6,
      lines: [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], [9, 9, 9, 0, 8, 8, 8, 1, 7, 7, 7, 2]],
      model: .rgb, components: 4,
      samples: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 9, 9, 9, 0, 8, 8, 8, 1, 7, 7, 7, 2]),
  ]

  static func file(_ kind: Kind, interlaced: Bool = false) -> [UInt8] {
    var png = PNGBuilder()
    png.header(3, 2, depth: kind.depth, colourType: kind.colourType, interlaced: interlaced)
    if let palette = kind.palette { png.chunk("PLTE", palette) }
    if let transparency = kind.transparency { png.chunk("tRNS", transparency) }
    png.imageData(
      interlaced ? adam7(kind.lines, bytesPerPixel: kind.lines[0].count / 3) : kind.lines)
    png.end()
    return png.bytes
  }

  @Test("delivers the samples of each colour type", arguments: kinds)
  func colourTypes(_ kind: Kind) throws {
    let picture = try decodePicture(Self.file(kind), as: .png)
    #expect(picture.failure == nil)
    #expect(picture.raster?.model == kind.model)
    #expect(picture.raster?.planes.first?.components == kind.components)
    #expect(picture.raster?.hasAlpha == kind.components.isMultiple(of: 2))
    #expect(picture.header?.facts.hasAlpha == kind.components.isMultiple(of: 2))
    #expect(picture.raster?.depth == (kind.depth == 16 ? .sixteen : .eight))
    #expect(picture.planes == [kind.samples])
  }

  @Test("delivers interlaced pictures in reading order", arguments: kinds.filter { $0.depth >= 8 })
  func interlaced(_ kind: Kind) throws {
    let picture = try decodePicture(Self.file(kind, interlaced: true), as: .png)
    #expect(picture.failure == nil)
    #expect(picture.planes == [kind.samples])
  }

  @Test("an interlaced file that ends early shows the pixels that came as blocks")
  func interlacedTruncation() throws {
    let lines = (0..<16).map { y in (0..<16).map { x in UInt8(y * 16 + x) } }
    var png = PNGBuilder()
    png.header(16, 16, depth: 8, colourType: 0, interlaced: true)
    png.imageData(adam7(lines, bytesPerPixel: 1))
    // Signature, IHDR, IDAT's head, zlib and block headers, and the first pass: 2 lines of 1 + 2.
    let bytes = Array(png.bytes.prefix(8 + 25 + 8 + 7 + 6))
    let picture = try decodePicture(bytes, as: .png)
    guard case .truncated = picture.failure else {
      Issue.record("\(String(describing: picture.failure))")
      return
    }
    let expected: [UInt16] = (0..<256).map { (index: Int) in
      let (row, column) = (index / 16, index % 16)
      return UInt16(row / 8 * 128 + column / 8 * 8)
    }
    #expect(picture.planes == [expected])
  }

  @Test("every truncation is a picture or a typed failure, and rows that came are right")
  func truncations() throws {
    let kind = Self.kinds[7]
    for interlaced in [false, true] {
      let whole = Self.file(kind, interlaced: interlaced)
      for length in 0..<whole.count {
        guard let picture = try? decodePicture(Array(whole.prefix(length)), as: .png) else {
          continue
        }
        if picture.failure == nil { #expect(picture.planes == [kind.samples], "\(length)") }
        if !interlaced, let plane = picture.planes.first {
          #expect(plane.elementsEqual(kind.samples.prefix(plane.count)), "\(length)")
        }
      }
    }
  }

  @Test("a file without the end of its image data is truncated, not corrupt")
  func truncatedIsNamed() throws {
    let bytes = Self.file(Self.kinds[7])
    // IEND 12, check sum 4, Adler 4, and two samples.
    let picture = try decodePicture(Array(bytes.dropLast(12 + 4 + 4 + 2)), as: .png)
    guard case .truncated = picture.failure else {
      Issue.record("\(String(describing: picture.failure))")
      return
    }
    #expect(picture.rows == 1)
  }

  @Test("a file that lacks only what follows the samples is whole")
  func missingTail() throws {
    let picture = try decodePicture(Array(Self.file(Self.kinds[7]).dropLast(16)), as: .png)
    #expect(picture.failure == nil)
    #expect(picture.planes == [Self.kinds[7].samples])
  }
}
