import Imaging
import Media

/// A decoder whose picture the test made: delivers planes of 8-bit samples row by row.
struct SyntheticDecoder: PictureDecoder, ~Copyable {
  var header: PictureHeader
  var model: ColourModel
  var hasAlpha: Bool
  var planes: [PixelPlane<UInt8>]
  /// Rows of plane 0 after which the data ends.
  var endsAfter: Int?
  private(set) var decodes = 0
  private(set) var neededSizes: [PixelSize?] = []

  init(
    _ model: ColourModel, hasAlpha: Bool = false, planes: [PixelPlane<UInt8>],
    orientation: Orientation = .up, endsAfter: Int? = nil
  ) {
    self.model = model
    self.hasAlpha = hasAlpha
    self.planes = planes
    self.endsAfter = endsAfter
    header = PictureHeader(
      facts: PictureFacts(
        format: .png, storedSize: planes[0].size, orientation: orientation, hasAlpha: hasAlpha))
  }

  mutating func readHeader(_ limits: DecodeLimits) throws(DecodeFailure) -> PictureHeader {
    header
  }

  mutating func decode<Sink: RowSink & ~Copyable>(
    needed: PixelSize?, into sink: inout Sink
  ) throws(DecodeFailure) {
    decodes += 1
    neededSizes.append(needed)
    try sink.begin(
      RasterDescription(
        model: model, hasAlpha: hasAlpha, depth: .eight,
        planes: planes.map { RasterDescription.Plane(size: $0.size, components: $0.components) }))
    let height = planes[0].size.height
    for row in 0..<height {
      if let endsAfter, row >= endsAfter { throw .truncated("after row \(row)") }
      for (index, plane) in planes.enumerated() {
        // Planes of fewer rows keep pace with the first.
        let share = height / plane.size.height
        guard row % share == 0, row / share < plane.size.height else { continue }
        let count = plane.size.width * plane.components
        let start = row / share * count
        try sink.consume(plane.samples.span.extracting(start..<start + count), plane: index)
      }
    }
  }
}

extension PixelPlane<UInt8> {
  /// A plane whose samples a closure gives by column, row and component.
  static func made(
    _ width: Int, _ height: Int, components: Int = 1, _ sample: (Int, Int, Int) -> UInt8
  ) -> PixelPlane {
    var samples: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width { for c in 0..<components { samples.append(sample(x, y, c)) } }
    }
    return PixelPlane(
      size: PixelSize(width: width, height: height), components: components, samples: samples)
  }

  /// Reproducible noise over a gradient.
  static func noise(_ width: Int, _ height: Int, components: Int = 1) -> PixelPlane {
    var state: UInt32 = 12345
    return made(width, height, components: components) { x, y, c in
      state = state &* 1_664_525 &+ 1_013_904_223
      let ramp = (x * 160 / max(1, width - 1) + y * 60 / max(1, height - 1) + c * 20) % 200
      return UInt8(ramp + Int(state >> 24) % 56)
    }
  }
}
