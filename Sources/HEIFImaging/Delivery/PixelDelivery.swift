internal import Imaging
internal import Media

/// The plane of an alpha item.
struct AlphaPlane {
  let view: PlaneView
  let isFullRange: Bool
}

/// Delivers a picture as interleaved RGB, or as gray or RGB with alpha, one row at a time.
struct PixelDelivery {
  private let planes: [PlaneView]
  private let alpha: AlphaPlane?
  private let coding: ColourCoding
  private let conversion: ColourCoding.Conversion
  private let isPremultiplied: Bool
  private let area: PixelArea

  init(
    _ picture: CodedPlanes, alpha: AlphaPlane?, coding: ColourCoding, isPremultiplied: Bool,
    area: PixelArea
  ) throws(DecodeFailure) {
    planes = picture.planes
    self.alpha = alpha
    self.coding = coding
    conversion = try coding.conversion()
    self.isPremultiplied = isPremultiplied
    self.area = area
  }

  private var isDeep: Bool { planes[0].bitDepth > 8 }
  private var components: Int { planes.count + (alpha == nil ? 0 : 1) }

  /// Delivers the rows above a row of the whole picture; below it nothing has come.
  func deliver<Sink: RowSink & ~Copyable>(
    above bottom: Int, into sink: inout Sink
  ) throws(DecodeFailure) {
    let rows = max(0, min(area.size.height, bottom - area.y))
    try sink.begin(
      RasterDescription(
        model: planes.count == 1 ? .gray : .rgb, hasAlpha: alpha != nil,
        depth: isDeep ? .sixteen : .eight,
        planes: [RasterDescription.Plane(size: area.size, components: components)]))
    if isDeep {
      try deliver(rows, as: UInt16.self) { row throws(DecodeFailure) in
        try sink.consume(row, plane: 0)
      }
    } else {
      try deliver(rows, as: UInt8.self) { row throws(DecodeFailure) in
        try sink.consume(row, plane: 0)
      }
    }
  }

  private func deliver<Sample: FixedWidthInteger & UnsignedInteger>(
    _ rows: Int, as sample: Sample.Type, _ consume: (Span<Sample>) throws(DecodeFailure) -> Void
  ) throws(DecodeFailure) {
    let samplers = planes.enumerated().map { index, plane in
      PlaneSampler(plane, range: range(of: plane, index), size: planes[0].size, area: area)
    }
    let alphaSampler = alpha.map {
      PlaneSampler(
        $0.view, range: .luma(bitDepth: $0.view.bitDepth, isFullRange: $0.isFullRange),
        size: planes[0].size, area: area)
    }
    var pixels = [Sample](repeating: 0, count: area.size.width * components)
    for row in 0..<rows {
      var channels = samplers.indices.map { samplers[$0].row(row) }
      if channels.count == 3 { convert(&channels) }
      if let opacity = alphaSampler?.row(row) {
        if isPremultiplied {
          for index in channels.indices { divide(&channels[index], by: opacity) }
        }
        channels.append(opacity)
      }
      interleave(channels, into: &pixels)
      try consume(pixels.span)
    }
  }

  private func range(of plane: PlaneView, _ index: Int) -> SampleRange {
    index == 0 || conversion == .identity
      ? .luma(bitDepth: plane.bitDepth, isFullRange: coding.isFullRange)
      : .chroma(bitDepth: plane.bitDepth, isFullRange: coding.isFullRange)
  }

  /// Turns luma and differences into red, green, blue.
  private func convert(_ channels: inout [[Float]]) {
    switch conversion {
    case .identity: channels = [channels[2], channels[0], channels[1]]
    case .luma(let red, let blue):
      let green = 1 - red - blue
      let (redGain, blueGain) = (2 * (1 - red), 2 * (1 - blue))
      for column in 0..<area.size.width {
        let luma = channels[0][column]
        let redValue = luma + redGain * channels[2][column]
        let blueValue = luma + blueGain * channels[1][column]
        channels[0][column] = redValue
        channels[1][column] = (luma - red * redValue - blue * blueValue) / green
        channels[2][column] = blueValue
      }
    case .greenOrange:
      for column in 0..<area.size.width {
        let (luma, green) = (channels[0][column], channels[1][column])
        let (base, orange) = (luma - green, channels[2][column])
        channels[0][column] = base + orange
        channels[1][column] = luma + green
        channels[2][column] = base - orange
      }
    }
  }

  private func divide(_ channel: inout [Float], by opacity: [Float]) {
    for column in channel.indices {
      channel[column] = opacity[column] > 0 ? channel[column] / opacity[column] : 0
    }
  }

  private func interleave<Sample: FixedWidthInteger & UnsignedInteger>(
    _ channels: [[Float]], into pixels: inout [Sample]
  ) {
    let maximum = Float(Sample.max)
    for (component, channel) in channels.enumerated() {
      var position = component
      for value in channel {
        pixels[position] = Sample(min(max(value, 0), 1) * maximum + 0.5)
        position += components
      }
    }
  }
}
