import Imaging
import Media
import Testing

@Suite struct OrientationTests {
  /// A B C
  /// D E F   as displayed by each orientation, worked out by hand (Exif 2.32, figure of tag 0x0112).
  static let displayed: [(Orientation, String)] = [
    (.up, "ABC DEF"), (.upMirrored, "CBA FED"), (.down, "FED CBA"), (.downMirrored, "DEF ABC"),
    (.leftMirrored, "AD BE CF"), (.right, "DA EB FC"), (.rightMirrored, "FC EB DA"),
    (.left, "CF BE AD"),
  ]

  private func grid(_ text: String, components: Int = 1) -> PixelPlane<UInt8> {
    let rows = text.split(separator: " ").map { Array($0.utf8) }
    return .made(rows[0].count, rows.count, components: components) { x, y, c in
      rows[y][x] + UInt8(c * 32)
    }
  }

  @Test("Two rows of three come out as displayed", arguments: displayed)
  func grids(orientation: Orientation, expected: String) {
    #expect(grid("ABC DEF").oriented(orientation) == grid(expected))
    let colours = grid("ABC DEF", components: 3).oriented(orientation)
    #expect(colours == grid(expected, components: 3))
  }

  @Test(
    "4:2:0 of odd sizes keeps each chroma sample beside the pixels it colours", arguments: displayed
  )
  func chromaSiting(orientation: Orientation, _: String) throws {
    // Gray left, saturated right: the edge lies at luma column 10 of 21, within a chroma pair when
    // pairs are counted from the far end.
    let luma = PixelPlane.made(21, 13) { _, _, _ in 128 }
    let chroma = PixelPlane.made(21, 13) { x, _, _ in x < 10 ? 128 : 200 }
    let picture = BoundedPicture(
      model: .yCbCr, hasAlpha: false, planes: [luma, chroma, chroma])
    let full = picture.oriented(orientation)
    let halved = try #require(Self.halved(picture, orientation))
    #expect(halved.planes[1].size.width == (full.size.width + 1) / 2)
    #expect(halved.planes[1].size.height == (full.size.height + 1) / 2)
    let reference = try #require(Self.halved(full, .up))
    for (sample, expected) in zip(halved.planes[1].samples, reference.planes[1].samples) {
      #expect(abs(Int(sample) - Int(expected)) <= 1)
    }
  }

  private static func halved(
    _ picture: BoundedPicture<UInt8>, _ orientation: Orientation
  ) -> BoundedPicture<UInt8>? {
    let raster = RasterDescription(
      model: .yCbCr, hasAlpha: false, depth: .eight,
      planes: picture.planes.map { RasterDescription.Plane(size: $0.size, components: 1) })
    var scaler = PictureScaler<UInt8>(
      ScalingPlan(part: .whole, size: picture.size, orientation: orientation), raster: raster,
      storedSize: picture.size, chroma: .halved)
    for (index, plane) in picture.planes.enumerated() {
      for row in 0..<plane.size.height {
        let start = row * plane.size.width
        scaler.consume(
          plane.samples.span.extracting(start..<start + plane.size.width), plane: index)
      }
    }
    return scaler.takePicture()
  }
}
