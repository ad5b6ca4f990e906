import Foundation
import Imaging
import Media
import Testing

@Suite(.timeLimit(.minutes(15)), .enabled(if: IndependentReader.hasPillow, "needs Pillow"))
struct StillEncoderTests {
  private func encode(
    _ picture: BoundedPicture<UInt8>, format: RenderRequest.OutputFormat = .auto,
    quality: Int = 82, flatten: RGBColour? = nil, budget: Int? = nil
  ) throws -> EncodedPicture {
    try StillEncoder(
      RenderRequest(
        operation: .render, outputFormat: format, quality: quality, flatten: flatten)
    ).encode(picture, budget: budget)
  }

  private func noise(_ width: Int, _ height: Int, _ model: ColourModel = .rgb) -> BoundedPicture<
    UInt8
  > {
    BoundedPicture(
      model: model, hasAlpha: false,
      planes: [.noise(width, height, components: model == .gray ? 1 : 3)])
  }

  @Test(
    "JPEG of planes, RGB and gray is what another decoder reads, for odd sizes too",
    arguments: [(1, 1), (17, 16), (33, 47), (8, 100)])
  func jpeg(width: Int, height: Int) throws {
    let half = ((width + 1) / 2, (height + 1) / 2)
    let planes = BoundedPicture<UInt8>(
      model: .yCbCr, hasAlpha: false,
      planes: [
        .made(width, height) { _, _, _ in 150 }, .made(half.0, half.1) { _, _, _ in 100 },
        .made(half.0, half.1) { _, _, _ in 160 },
      ])
    let decoded = try IndependentReader.decode(encode(planes).bytes)
    #expect(decoded.mode == "RGB")
    #expect(decoded.size == PixelSize(width: width, height: height))
    // JFIF: R = 150 + 1.402·32, G = 150 − 0.344·(−28) − 0.714·32, B = 150 + 1.772·(−28).
    for (index, sample) in decoded.samples.enumerated() {
      #expect(abs(Int(sample) - [195, 137, 100][index % 3]) <= 2)
    }
    let gray = BoundedPicture(
      model: .gray, hasAlpha: false, planes: [PixelPlane.made(width, height) { _, _, _ in 77 }])
    let decodedGray = try IndependentReader.decode(encode(gray).bytes)
    #expect(decodedGray.mode == "L")
    #expect(decodedGray.samples.allSatisfy { abs(Int($0) - 77) <= 1 })
  }

  @Test("PNG holds the very samples", arguments: [1, 2, 3, 4])
  func png(components: Int) throws {
    let plane = PixelPlane.noise(23, 19, components: components)
    let picture = BoundedPicture(
      model: components < 3 ? .gray : .rgb, hasAlpha: components % 2 == 0, planes: [plane])
    let encoded = try encode(picture, format: .png)
    #expect(encoded.format == .png)
    let decoded = try IndependentReader.decode(encoded.bytes)
    #expect(decoded.mode == ["L", "LA", "RGB", "RGBA"][components - 1])
    #expect(decoded.samples == plane.samples)
  }

  @Test("A picture becomes JPEG when opaque, PNG when alpha shows, JPEG again when flattened")
  func choice() throws {
    func picture(_ alpha: UInt8) -> BoundedPicture<UInt8> {
      BoundedPicture(
        model: .rgb, hasAlpha: true,
        planes: [.made(16, 16, components: 4) { _, _, c in c == 3 ? alpha : 100 }])
    }
    #expect(try encode(noise(9, 9)).format == .jpeg)
    #expect(try encode(picture(255)).format == .jpeg)
    #expect(try encode(picture(254)).format == .png)
    let flat = try encode(picture(0), flatten: RGBColour(red: 10, green: 200, blue: 30))
    #expect(flat.format == .jpeg)
    let decoded = try IndependentReader.decode(flat.bytes)
    for (index, sample) in decoded.samples.enumerated() {
      #expect(abs(Int(sample) - [10, 200, 30][index % 3]) <= 3)
    }
  }

  @Test("Alpha asked to be JPEG is laid on white, never on black")
  func white() throws {
    let picture = BoundedPicture<UInt8>(
      model: .gray, hasAlpha: true, planes: [.made(8, 8, components: 2) { _, _, _ in 0 }])
    let decoded = try IndependentReader.decode(encode(picture, format: .jpeg).bytes)
    #expect(decoded.samples.allSatisfy { $0 == 255 })
  }

  @Test("GIF holds few colours exactly, and its transparency")
  func gifPalette() throws {
    let colours: [[UInt8]] = [
      [255, 0, 0, 255], [0, 128, 0, 255], [9, 8, 7, 0], [20, 30, 200, 255],
    ]
    let plane = PixelPlane.made(19, 11, components: 4) { x, y, c in colours[(x / 3 + y) % 4][c] }
    let picture = BoundedPicture(model: .rgb, hasAlpha: true, planes: [plane])
    let encoded = try encode(picture, format: .gif)
    #expect(encoded.format == .gif)
    let decoded = try IndependentReader.decode(encoded.bytes)
    #expect(decoded.mode == "P")
    for pixel in stride(from: 0, to: plane.samples.count, by: 4) {
      #expect(decoded.samples[pixel + 3] == plane.samples[pixel + 3])
      guard plane.samples[pixel + 3] == 255 else { continue }
      for component in pixel..<pixel + 3 {
        #expect(abs(Int(decoded.samples[component]) - Int(plane.samples[component])) <= 3)
      }
    }
  }

  @Test("GIF of a picture with many colours is close to it on average, and opaque")
  func gifDithering() throws {
    let picture = BoundedPicture<UInt8>(
      model: .rgb, hasAlpha: false,
      planes: [
        .made(64, 64, components: 3) { x, y, c in UInt8([x * 4, y * 4, (x + y) * 2][c] & 255) }
      ])
    let decoded = try IndependentReader.decode(encode(picture, format: .gif).bytes)
    var difference = 0
    for pixel in 0..<64 * 64 {
      #expect(decoded.samples[pixel * 4 + 3] == 255)
      for component in 0..<3 {
        difference += abs(
          Int(decoded.samples[pixel * 4 + component])
            - Int(picture.planes[0].samples[pixel * 3 + component]))
      }
    }
    #expect(difference / (64 * 64 * 3) < 8)
  }

  @Test("A budget takes quality first: the best that fits, at full size")
  func budgetByQuality() throws {
    let picture = noise(200, 150)
    let full = try encode(picture).bytes.count
    let lowest = try encode(picture, quality: 50).bytes.count
    let budget = (full + lowest) / 2
    let fitted = try encode(picture, budget: budget)
    #expect(fitted.size == picture.size)
    #expect(fitted.bytes.count <= budget)
    let qualities = try (51..<82).filter { try encode(picture, quality: $0).bytes == fitted.bytes }
    let quality = try #require(qualities.last)
    #expect(try encode(picture, quality: quality + 1).bytes.count > budget)
  }

  @Test(
    "A budget below the lowest quality takes size, keeping the shape",
    arguments: [(RenderRequest.OutputFormat.auto, 2000), (.png, 8000)])
  func budgetBySize(format: RenderRequest.OutputFormat, budget: Int) throws {
    let picture = noise(200, 150)
    let fitted = try encode(picture, format: format, budget: budget)
    #expect(fitted.bytes.count <= budget)
    #expect(fitted.bytes.count > budget / 2)
    #expect(fitted.size.width < 200)
    #expect(abs(fitted.size.width * 3 - fitted.size.height * 4) <= 4)
    #expect(try IndependentReader.decode(fitted.bytes).size == fitted.size)
  }

  @Test("A budget that nothing fits is told with the smallest size that was reached")
  func impossibleBudget() throws {
    let failure = #expect(throws: DecodeFailure.self) { try encode(noise(40, 30), budget: 20) }
    guard case .byteBudget(let smallest, let budget) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(budget == 20)
    #expect(smallest > 20)
  }

  @Test(
    "Written files hold no metadata beyond JFIF", .enabled(if: IndependentReader.hasExiftool),
    arguments: [RenderRequest.OutputFormat.jpeg, .png, .gif])
  func metadata(format: RenderRequest.OutputFormat) throws {
    let found = try IndependentReader.metadata(encode(noise(20, 20), format: format).bytes)
    let groups = Set(found.split(separator: "\n").map { $0.prefix { $0 != "]" } + "]" })
    #expect(groups.isSubset(of: ["[JFIF]", "[PNG]", "[GIF]"]))
    let tags = found.split(separator: "\n").filter { $0.hasPrefix("[PNG]") }
      .compactMap {
        $0.dropFirst(5).split(separator: ":").first?.trimmingCharacters(in: .whitespaces)
      }
    let structural: Set = [
      "ImageWidth", "ImageHeight", "BitDepth", "ColorType", "Compression", "Filter", "Interlace",
    ]
    #expect(Set(tags).isSubset(of: structural))
  }
}
