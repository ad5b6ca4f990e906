internal import CCodecShims
internal import Media

/// The strips that a started session gives, one row of MCUs (planes) or one row (pixels) each.
@safe struct JPEGStrips {
  private let session: JPEGSession
  /// Inks are stored as Adobe's programs do, 255 for none. Browsers take every file so, with Adobe's
  /// marker or without: what lacks it has been stripped.
  private let inverted: Bool
  private let shapes: [ccodecs_jpeg_plane]

  init(_ session: JPEGSession, inverted: Bool) {
    self.session = session
    self.inverted = inverted
    let planes = unsafe ccodecs_jpeg_planes(session.handle)
    self.shapes = (0..<planes).map {
      unsafe ccodecs_jpeg_plane_shape(session.handle, $0)
    }
  }

  /// The corresponding model: libjpeg's chroma planes come at their own true size.
  func description(_ output: ccodecs_jpeg_output) -> RasterDescription {
    let models: [UInt32: ColourModel] = [
      ccodecs_jpeg_output_planes.rawValue: .yCbCr, ccodecs_jpeg_output_rgb.rawValue: .rgb,
      ccodecs_jpeg_output_cmyk.rawValue: .cmyk,
    ]
    let planes = shapes.map {
      RasterDescription.Plane(
        size: PixelSize(width: Int($0.width), height: Int($0.height)),
        components: Int($0.components))
    }
    return RasterDescription(
      model: models[output.rawValue] ?? .gray, hasAlpha: false, depth: .eight, planes: planes)
  }

  /// Delivers all rows, or those above the first one without data and then fails. `visibleRows` is
  /// what is known before: rows of plane 0 with data, nil for a whole picture.
  func deliver<Sink: RowSink & ~Copyable>(
    into sink: inout Sink, visibleRows: Int?
  ) throws(DecodeFailure) {
    let height = Int(shapes.first?.height ?? 0)
    let stripRows = Int(shapes.first?.strip_rows ?? 1)
    var row = 0
    while row < height, row < visibleRows ?? .max {
      try session.check(unsafe ccodecs_jpeg_read_strip(session.handle))
      if visibleRows == nil, session.lossRow != nil {
        throw .truncated("the picture ends at row \(row) of \(height)")
      }
      try deliverStrip(row / stripRows, into: &sink)
      row += stripRows
    }
    if let visibleRows {
      throw .truncated("\(min(visibleRows, height)) of \(height) rows have data, not all of it")
    }
  }

  private func deliverStrip<Sink: RowSink & ~Copyable>(
    _ strip: Int, into sink: inout Sink
  ) throws(DecodeFailure) {
    for plane in shapes.indices {
      let shape = shapes[plane]
      let left = Int(shape.height) - strip * Int(shape.strip_rows)
      for row in 0..<max(0, min(left, Int(shape.strip_rows))) {
        try deliverRow(Int32(row), plane, samples: Int(shape.width * shape.components), into: &sink)
      }
    }
  }

  private func deliverRow<Sink: RowSink & ~Copyable>(
    _ row: Int32, _ plane: Int, samples: Int, into sink: inout Sink
  ) throws(DecodeFailure) {
    let start = unsafe ccodecs_jpeg_row(session.handle, Int32(plane), row)
    let span = unsafe Span(_unsafeStart: start, count: samples)
    guard inverted else { return try sink.consume(span, plane: plane) }
    let flipped = unsafe [UInt8](unsafeUninitializedCapacity: samples) { buffer, count in
      for index in 0..<samples { unsafe buffer[index] = ~span[index] }
      count = samples
    }
    try sink.consume(flipped.span, plane: plane)
  }
}
