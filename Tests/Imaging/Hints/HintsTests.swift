import Imaging
import Media
import Testing

@Suite struct HintsTests {
  private func raster(
    _ width: Int, _ height: Int, _ pixel: (Int, Int) -> [Int]
  ) -> PreviewRaster {
    var samples: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width { samples += pixel(x, y).map { UInt8($0) } }
    }
    return PreviewRaster(size: PixelSize(width: width, height: height), samples: samples)
  }

  private func hints(_ raster: PreviewRaster) -> PictureHints {
    PictureHints(raster, saliency: Saliency(raster), size: raster.size)
  }

  /// What the Python package thumbhash-python 1.0.1 makes of the same pixels.
  @Test(
    "A ThumbHash is what the format's other encoders write",
    arguments: [
      (60, 40, false, "1ff809359a7076767077778787778787919008f878"),
      (40, 60, false, "1f080a351a717670777777787777788890a208f878"),
      (100, 100, false, "1f080a371a70767770777777777788788887080898807f07"),
      (100, 13, false, "5ef809319c70766770777877918008f878"),
      (1, 1, false, "000802070000000000000000000000000000000000000000"),
      (48, 32, true, "20f885138836847c807c98738049f87707788778857868"),
      (20, 77, true, "a10782090422708788af77b087088978677787888089d7"),
    ])
  func thumbHash(width: Int, height: Int, hasAlpha: Bool, expected: String) {
    let side = min(width, height)
    let raster = raster(width, height) { x, y in
      let (across, down) = (2 * x - width, 2 * y - height)
      let isOutside = across * across + down * down > side * side
      return [
        x * 255 / max(1, width - 1), y * 255 / max(1, height - 1), (x * x + y * 3) % 256,
        hasAlpha ? (isOutside ? 0 : 200) : 255,
      ]
    }
    let digits = hints(raster).thumbHash.map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    #expect(digits.joined() == expected)
  }

  @Test("The dominant colour is the colourful one, if it is no speck, and never of what is unseen")
  func dominantColour() {
    let flower = raster(50, 50) { x, y in
      let isPetal = (x - 25) * (x - 25) + (y - 25) * (y - 25) < 225
      return isPetal ? [220, 30, 60, 255] : [120, 122, 121, 255]
    }
    #expect(hints(flower).dominantColour == RGBColour(red: 220, green: 30, blue: 60))
    let speck = raster(50, 50) { x, y in
      x == 7 && y == 9 ? [0, 0, 255, 255] : [200, 200, 200, 255]
    }
    #expect(hints(speck).dominantColour == RGBColour(red: 200, green: 200, blue: 200))
    let logo = raster(50, 50) { x, _ in x < 10 ? [10, 120, 40, 255] : [255, 0, 0, 0] }
    #expect(hints(logo).dominantColour == RGBColour(red: 10, green: 120, blue: 40))
    #expect(hints(raster(9, 9) { _, _ in [0, 0, 0, 0] }).dominantColour == nil)
    #expect(RGBColour(red: 1, green: 171, blue: 255).hexadecimal == "#01abff")
  }

  @Test(
    "The square follows what stands out, and stays in the middle where nothing does",
    arguments: [(12, 0.0...0.1), (50, 0.2...0.3), (88, 0.4...0.5)])
  func square(centre: Int, expected: ClosedRange<Double>) {
    let wide = raster(100, 50) { x, y in
      let isSubject = abs(x - centre) < 8 && abs(y - 25) < 15
      return isSubject
        ? ((x + y) % 2 == 0 ? [255, 255, 255, 255] : [10, 10, 10, 255])
        : [90, 110, 130, 255]
    }
    let square = hints(wide).square
    #expect(expected.contains(square.x))
    #expect(square.y == 0 && square.height == 1 && abs(square.width - 0.5) < 1e-9)
  }

  @Test("A plain picture keeps its centre, a tall one a little more of its top")
  func plain() {
    let grey: (Int, Int) -> [Int] = { _, _ in [128, 128, 128, 255] }
    let wide = hints(raster(100, 40, grey)).square
    #expect(abs(wide.x - 0.3) < 1e-9 && abs(wide.width - 0.4) < 1e-9)
    let tall = hints(raster(40, 100, grey)).square
    #expect(abs(tall.y - 0.24) < 1e-9 && abs(tall.height - 0.4) < 1e-9)
    #expect(hints(raster(30, 30, grey)).square == .whole)
  }

  @Test("A face's colours draw the square in a picture without edges")
  func skin() {
    let tall = raster(40, 100) { x, y in
      let isFace = abs(x - 20) < 10 && abs(y - 80) < 9
      return isFace ? [214, 160, 128, 255] : [196, 198, 202, 255]
    }
    let square = hints(tall).square
    #expect(square.y > 0.5)
  }

  @Test("A square lies inside its picture, whatever the sides' ratio")
  func inside() {
    for width in 1...60 {
      for height in stride(from: 1, through: 60, by: 7) {
        let square = hints(raster(width, height) { x, y in [x, y, 40, 255] }).square
        for part in [square, square.rounded] {
          let sides = [part.x, part.y, part.x + part.width, part.y + part.height]
          #expect(sides.allSatisfy { (0...1.000_000_1).contains($0) })
          #expect((0...1).contains(part.width) && (0...1).contains(part.height))
        }
      }
    }
  }

  @Test("A preview of any raster has its average colours")
  func preview() {
    let planes = [
      PixelPlane<UInt8>(
        size: PixelSize(width: 400, height: 200), components: 1,
        samples: [UInt8](repeating: 76, count: 80_000)),
      PixelPlane(
        size: PixelSize(width: 200, height: 100), components: 1,
        samples: [UInt8](repeating: 85, count: 20_000)),
      PixelPlane(
        size: PixelSize(width: 200, height: 100), components: 1,
        samples: [UInt8](repeating: 255, count: 20_000)),
    ]
    // JFIF's red: Y 76, Cb 85, Cr 255.
    let red = PreviewRaster(BoundedPicture(model: .yCbCr, hasAlpha: false, planes: planes))
    #expect(red.size == PixelSize(width: 100, height: 50))
    #expect(Array(red.samples[..<4]) == [254, 0, 0, 255])
    let half = PixelPlane<UInt8>(
      size: PixelSize(width: 2, height: 1), components: 2, samples: [200, 255, 0, 0])
    let grey = PreviewRaster(BoundedPicture(model: .gray, hasAlpha: true, planes: [half]))
    #expect(grey.samples == [200, 200, 200, 255, 0, 0, 0, 0])
  }
}
