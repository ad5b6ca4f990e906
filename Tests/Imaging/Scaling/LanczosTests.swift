import Imaging
import Media
import Testing

@Suite(.timeLimit(.minutes(15))) struct LanczosTests {
  /// Renders through the whole pass to PNG-free samples: the scaler alone, by a request whose box
  /// gives `size`.
  private func scaled(
    _ plane: PixelPlane<UInt8>, to size: PixelSize, hasAlpha: Bool = false
  ) -> PixelPlane<UInt8> {
    let model: ColourModel = plane.components >= 3 ? .rgb : .gray
    let picture = BoundedPicture(model: model, hasAlpha: hasAlpha, planes: [plane])
    return picture.scaled(to: size).planes[0]
  }

  @Test(
    "A plane comes out as the plain double sum has it, within rounding",
    arguments: [
      (64, 48, 40, 30, 1), (61, 47, 20, 15, 3), (50, 50, 50, 20, 4), (33, 90, 7, 90, 2),
      (100, 9, 3, 1, 1), (17, 13, 16, 12, 3), (200, 3, 1, 1, 1), (1, 200, 1, 9, 3),
    ])
  func matchesReference(width: Int, height: Int, newWidth: Int, newHeight: Int, components: Int) {
    let plane = PixelPlane.noise(width, height, components: components)
    let size = PixelSize(width: newWidth, height: newHeight)
    let result = scaled(plane, to: size)
    #expect(result.size == size)
    let expected = ReferenceScaler.scale(plane, to: size)
    #expect(result.samples.count == expected.count)
    for (sample, value) in zip(result.samples, expected) {
      #expect(abs(Double(sample) - min(255, max(0, value))) < 0.502)
    }
  }

  @Test(
    "Pillow's Lanczos gives the same samples within one step",
    .enabled(if: IndependentReader.hasPillow, "needs Pillow"),
    arguments: [(640, 480, 300, 225), (301, 77, 100, 26)])
  func matchesPillow(width: Int, height: Int, newWidth: Int, newHeight: Int) throws {
    let plane = PixelPlane.noise(width, height)
    // In its 8-bit modes Pillow clips between the two passes.
    let script = """
      import sys
      from PIL import Image
      size = (\(width), \(height))
      picture = Image.frombytes('L', size, open(sys.argv[1], 'rb').read()).convert('F')
      scaled = picture.resize((\(newWidth), \(newHeight)), Image.LANCZOS)
      sys.stdout.write(' '.join(str(value) for value in scaled.getdata()))
      """
    let printed = try IndependentReader.withFile(plane.samples) {
      try IndependentReader.run(IndependentReader.python, ["-c", script, $0])
    }
    let expected = String(decoding: printed, as: UTF8.self).split(separator: " ").compactMap {
      Double($0)
    }
    let result = scaled(plane, to: PixelSize(width: newWidth, height: newHeight))
    #expect(result.samples.count == expected.count)
    for (sample, value) in zip(result.samples, expected) {
      #expect(abs(Double(sample) - min(255, max(0, value))) < 0.51)
    }
  }

  @Test("Chroma is scaled in its own geometry, from 4:2:0 and from 4:4:4", arguments: [1, 2])
  func chroma(sampling: Int) throws {
    let luma = PixelPlane.noise(64, 48)
    let chroma = PixelPlane.noise(64 / sampling, 48 / sampling)
    let picture = BoundedPicture(
      model: .yCbCr, hasAlpha: false, planes: [luma, chroma, chroma])
    let plan = ScalingPlan(
      part: .whole, size: PixelSize(width: 40, height: 30), orientation: .up)
    var scaler = PictureScaler<UInt8>(
      plan,
      raster: RasterDescription(
        model: .yCbCr, hasAlpha: false, depth: .eight,
        planes: picture.planes.map { .init(size: $0.size, components: 1) }),
      storedSize: luma.size, chroma: .halved)
    for (index, plane) in picture.planes.enumerated() {
      for row in 0..<plane.size.height {
        let start = row * plane.size.width
        scaler.consume(
          plane.samples.span.extracting(start..<start + plane.size.width), plane: index)
      }
    }
    let taken = scaler.takePicture()
    let result = try #require(taken)
    #expect(result.planes[1].size == PixelSize(width: 20, height: 15))
    let expected = ReferenceScaler.scale(chroma, to: PixelSize(width: 20, height: 15))
    for (sample, value) in zip(result.planes[1].samples, expected) {
      #expect(abs(Double(sample) - min(255, max(0, value))) < 0.502)
    }
  }

  @Test(
    "Sixteen bits come out within one step of 65535",
    arguments: [(64, 48, 40, 30), (61, 47, 20, 15)])
  func sixteenBits(width: Int, height: Int, newWidth: Int, newHeight: Int) {
    let bytes = PixelPlane.noise(width, height, components: 3)
    let plane = PixelPlane<UInt16>(
      size: bytes.size, components: 3, samples: bytes.samples.map { UInt16($0) * 256 })
    let size = PixelSize(width: newWidth, height: newHeight)
    let picture = BoundedPicture(model: .rgb, hasAlpha: false, planes: [plane])
    let result = picture.scaled(to: size).planes[0]
    for (sample, value) in zip(result.samples, ReferenceScaler.scale(bytes, to: size)) {
      #expect(abs(Double(sample) - min(65_535, max(0, value * 256))) < 0.75)
    }
  }

  @Test(
    "A constant picture stays constant to the last bit",
    arguments: [(1000, 37, 31, 37), (640, 480, 333, 250), (10_000, 1, 1320, 1), (7, 5, 3, 2)])
  func constant(width: Int, height: Int, newWidth: Int, newHeight: Int) {
    for value: UInt8 in [0, 1, 127, 254, 255] {
      let plane = PixelPlane.made(width, height, components: 3) { _, _, _ in value }
      let result = scaled(plane, to: PixelSize(width: newWidth, height: newHeight))
      #expect(result.samples.allSatisfy { $0 == value })
    }
  }

  @Test("A picture at its own size comes out unchanged")
  func identity() {
    let plane = PixelPlane.noise(37, 23, components: 3)
    #expect(scaled(plane, to: plane.size) == plane)
  }

  @Test("A row too wide to be kept is narrowed first, to the same samples")
  func wideRows() {
    let plane = PixelPlane.noise(20_000, 6)
    let size = PixelSize(width: 500, height: 3)
    let expected = ReferenceScaler.scale(plane, to: size)
    for (sample, value) in zip(scaled(plane, to: size).samples, expected) {
      #expect(abs(Double(sample) - min(255, max(0, value))) < 0.502)
    }
  }

  @Test("Colours of transparent pixels never bleed into visible ones")
  func premultiplied() {
    // Left half opaque green, right half transparent red.
    let plane = PixelPlane.made(40, 10, components: 4) { x, _, c in
      x < 20 ? [0, 200, 0, 255][c] : [255, 0, 0, 0][c]
    }
    let result = scaled(plane, to: PixelSize(width: 13, height: 5), hasAlpha: true)
    for pixel in stride(from: 0, to: result.samples.count, by: 4)
    where result.samples[pixel + 3] > 0 {
      #expect(result.samples[pixel] == 0)
      #expect(abs(Int(result.samples[pixel + 1]) - 200) <= 1)
    }
    #expect(result.samples[3] == 255)
    #expect(result.samples[12 * 4 + 3] == 0)
  }

  @Test(
    "Chroma that grows is interpolated between its two neighbours",
    arguments: [
      (2, [0, 20, 60, 60, 20, 20, 60, 80]),
      (3, [0, 0, 27, 53, 80, 53, 27, 0, 27, 53, 80, 80]),
      (4, [0, 0, 10, 30, 50, 70, 70, 50, 30, 10, 10, 30, 50, 70, 80, 80]),
    ])
  func enlargedChroma(factor: Int, expected: [UInt8]) throws {
    let size = PixelSize(width: 4 * factor, height: 4 * factor)
    let values: [UInt8] = [0, 80, 0, 80]
    let raster = RasterDescription(
      model: .yCbCr, hasAlpha: false, depth: .eight,
      planes: [size, PixelSize(width: 4, height: 4), PixelSize(width: 4, height: 4)].map {
        .init(size: $0, components: 1)
      })
    var scaler = PictureScaler<UInt8>(
      ScalingPlan(part: .whole, size: size, orientation: .up), raster: raster, storedSize: size,
      chroma: .full)
    for _ in 0..<size.height {
      scaler.consume([UInt8](repeating: 9, count: size.width).span, plane: 0)
    }
    for value in values {
      scaler.consume(values.span, plane: 1)
      scaler.consume([UInt8](repeating: value, count: 4).span, plane: 2)
    }
    let taken = scaler.takePicture()
    let picture = try #require(taken)
    let rows = picture.planes[1].samples, columns = picture.planes[2].samples
    for line in 0..<size.height {
      for index in 0..<size.width {
        #expect(rows[line * size.width + index] == expected[index])
        #expect(columns[index * size.width + line] == expected[index])
      }
    }
  }
}
