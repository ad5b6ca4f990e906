package import Media

/// Scales all planes of one picture into one output size.
package struct PictureScaler<Sample: PixelSample>: Sendable {
  /// What becomes of the chroma planes of a YCbCr picture.
  package enum Chroma: Sendable, Hashable {
    /// The output's full size, for colour conversion or PNG.
    case full
    /// Half the output's size, rounded up: what JPEG 4:2:0 stores.
    case halved
  }

  package let plan: ScalingPlan
  private let raster: RasterDescription
  private var planes: [PlaneScaler<Sample>]

  package init(
    _ plan: ScalingPlan, raster: RasterDescription, storedSize: PixelSize, chroma: Chroma
  ) {
    self.plan = plan
    self.raster = raster
    let columns = ScalingAxis(
      stored: storedSize.width, delivered: raster.size.width, start: plan.part.x,
      length: plan.part.width, outputCount: plan.size.width)
    let rows = ScalingAxis(
      stored: storedSize.height, delivered: raster.size.height, start: plan.part.y,
      length: plan.part.height, outputCount: plan.size.height)
    let unit = raster.depth == .eight ? UInt8.unit : UInt16.unit
    planes = raster.planes.enumerated().map { index, plane in
      let halved = chroma == .halved
      return PlaneScaler(
        input: plane, hasAlpha: raster.hasAlpha && index == 0, inputUnit: unit,
        horizontal: index == 0
          ? columns.kernel
          : columns.chromaKernel(
            count: plane.size.width, halved: halved, mirrored: plan.orientation.mirrorsColumns),
        vertical: index == 0
          ? rows.kernel
          : rows.chromaKernel(
            count: plane.size.height, halved: halved, mirrored: plan.orientation.mirrorsRows))
    }
  }

  package mutating func consume<Input: PixelSample>(_ row: Span<Input>, plane: Int) {
    guard planes.indices.contains(plane) else { return }
    planes[plane].consume(row)
  }

  /// The picture as displayed; of a file that ended early, the part whose rows came, nil without any.
  package mutating func takePicture() -> BoundedPicture<Sample>? {
    let rows = rowsShown
    guard rows > 0 else { return nil }
    var taken: [PixelPlane<Sample>] = []
    for index in planes.indices {
      let isChromaHalf = planes[index].rowsWanted != plan.size.height
      planes[index].finish(rows: isChromaHalf ? (rows + 1) / 2 : rows)
      taken.append(planes[index].takePlane())
    }
    return BoundedPicture(model: raster.model, hasAlpha: raster.hasAlpha, planes: taken)
      .oriented(plan.orientation)
  }

  /// The output rows that the rows received are good for.
  private var rowsShown: Int {
    guard let first = planes.first, first.rowsReceived > 0 else { return 0 }
    guard first.rowsReceived < raster.size.height else { return plan.size.height }
    let share = Double(first.rowsReceived) / Double(raster.size.height)
    let shown = (share - plan.part.y) / plan.part.height * Double(plan.size.height)
    return min(plan.size.height, max(first.rowsMade, Int(max(0, shown))))
  }
}
