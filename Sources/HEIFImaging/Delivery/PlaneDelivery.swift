internal import Imaging
internal import Media

/// Delivers gray pictures and JFIF-like YCbCr as planes, in their own geometry.
struct PlaneDelivery {
  private let area: PixelArea
  private let isFullRange: Bool
  /// Pixels that one sample of each plane covers.
  private let steps: [PixelSize]
  private let tables8: [[UInt8]]
  private let table16: [UInt16]
  let raster: RasterDescription

  /// Nil where the picture cannot be delivered so: its colours have to become RGB first, or `area`
  /// begins between two colour samples.
  init?(_ picture: CodedPlanes, coding: ColourCoding, area: PixelArea) {
    guard picture.isJFIF(coding) else { return nil }
    steps = picture.planes.map { plane in
      PixelSize(
        width: plane.size.width < picture.size.width ? 2 : 1,
        height: plane.size.height < picture.size.height ? 2 : 1)
    }
    guard steps.allSatisfy({ area.x % $0.width == 0 && area.y % $0.height == 0 }) else {
      return nil
    }
    self.area = area
    isFullRange = coding.isFullRange
    let bitDepth = picture.planes[0].bitDepth
    let luma = SampleRange.luma(bitDepth: bitDepth, isFullRange: isFullRange)
    let isDeep = bitDepth > 8
    table16 = isDeep ? luma.table(bitDepth: bitDepth, centre: 0, maximum: 65_535) : []
    tables8 =
      isDeep
      ? []
      : picture.planes.indices.map { index in
        index == 0
          ? luma.table(bitDepth: 8, centre: 0, maximum: 255)
          : SampleRange.chroma(bitDepth: 8, isFullRange: coding.isFullRange)
            .table(bitDepth: 8, centre: 128, maximum: 255)
      }
    raster = RasterDescription(
      model: picture.planes.count == 1 ? .gray : .yCbCr, hasAlpha: false,
      depth: isDeep ? .sixteen : .eight,
      planes: steps.map { step in
        RasterDescription.Plane(
          size: PixelSize(
            width: (area.size.width + step.width - 1) / step.width,
            height: (area.size.height + step.height - 1) / step.height), components: 1)
      })
  }

  /// Delivers the rows of the area that lie in `picture`, whose first row is row `top` of the whole.
  func deliver<Sink: RowSink & ~Copyable>(
    _ picture: CodedPlanes, top: Int = 0, into sink: inout Sink
  ) throws(DecodeFailure) {
    for (index, plane) in picture.planes.enumerated() {
      let step = steps[index]
      let first = max(0, area.y - top) / step.height
      let last = min(
        plane.size.height, (area.y + area.size.height - top + step.height - 1) / step.height)
      guard first < last else { continue }
      let part = plane.cropped(
        PixelArea(
          x: area.x / step.width, y: first,
          size: PixelSize(width: raster.planes[index].size.width, height: last - first)))
      try deliver(part, index, into: &sink)
    }
  }

  private func deliver<Sink: RowSink & ~Copyable>(
    _ plane: PlaneView, _ index: Int, into sink: inout Sink
  ) throws(DecodeFailure) {
    if plane.bitDepth > 8 {
      try deliverScaled(plane, into: &sink)
    } else if isFullRange {
      for row in 0..<plane.size.height {
        try sink.consume(unsafe Span(_unsafeElements: plane.row8(row)), plane: index)
      }
    } else {
      try deliverExpanded(plane, index, into: &sink)
    }
  }

  /// Brings a limited range to the full one.
  private func deliverExpanded<Sink: RowSink & ~Copyable>(
    _ plane: PlaneView, _ index: Int, into sink: inout Sink
  ) throws(DecodeFailure) {
    let table = tables8[index]
    var expanded = [UInt8](repeating: 0, count: plane.size.width)
    for row in 0..<plane.size.height {
      let samples = unsafe plane.row8(row)
      for column in expanded.indices { expanded[column] = table[Int(unsafe samples[column])] }
      try sink.consume(expanded.span, plane: index)
    }
  }

  /// Brings deep gray to 16 bits.
  private func deliverScaled<Sink: RowSink & ~Copyable>(
    _ plane: PlaneView, into sink: inout Sink
  ) throws(DecodeFailure) {
    var scaled = [UInt16](repeating: 0, count: plane.size.width)
    for row in 0..<plane.size.height {
      let samples = unsafe plane.row16(row)
      for column in scaled.indices {
        scaled[column] = table16[min(Int(unsafe samples[column]), table16.count - 1)]
      }
      try sink.consume(scaled.span, plane: 0)
    }
  }
}
