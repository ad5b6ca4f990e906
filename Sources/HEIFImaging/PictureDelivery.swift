internal import Imaging
internal import Media

/// Decodes a picture and delivers its rows.
struct PictureDelivery {
  let reader: ItemReader
  let picture: DeclaredPicture

  func deliver<Sink: RowSink & ~Copyable>(into sink: inout Sink) throws(DecodeFailure) {
    let source = picture.source
    if let alpha = picture.alpha {
      try reader.decode(source) { colours throws(DecodeFailure) in
        try reader.decode(alpha) { alpha throws(DecodeFailure) in
          try deliverPixels(colours, alpha: alphaPlane(alpha), into: &sink)
        }
      }
    } else if source.tiles.count > 1 {
      try deliverGrid(into: &sink)
    } else {
      try reader.decode(source) { colours throws(DecodeFailure) in
        if let planes = planes(of: colours) {
          try sink.begin(planes.raster)
          try planes.deliver(colours, into: &sink)
        } else {
          try deliverPixels(colours, alpha: nil, into: &sink)
        }
      }
    }
  }

  /// Delivers a grid tile row by tile row, where its colours allow: memory for one row of tiles, and
  /// rows before a place where the data ends.
  private func deliverGrid<Sink: RowSink & ~Copyable>(
    into sink: inout Sink
  ) throws(DecodeFailure) {
    let source = picture.source
    let first = try reader.canvas(source, rows: 0..<1)
    guard let planes = planes(of: first.picture) else {
      return try deliverPixelGrid(into: &sink)
    }
    try sink.begin(planes.raster)
    try planes.deliver(first.picture, into: &sink)
    for row in 1..<source.rows {
      let band = try reader.canvas(source, rows: row..<row + 1)
      try planes.deliver(band.picture, top: row * source.tileSize.height, into: &sink)
    }
  }

  /// Delivers a grid whose colours become RGB: what there is of its rows of tiles before a place where
  /// the data ends.
  private func deliverPixelGrid<Sink: RowSink & ~Copyable>(
    into sink: inout Sink
  ) throws(DecodeFailure) {
    let source = picture.source
    let whole = try reader.wholeRows(of: source)
    let canvas = try reader.canvas(source, rows: 0..<max(1, whole))
    let bottom = max(1, whole) * source.tileSize.height
    try deliverPixels(canvas.picture, alpha: nil, above: bottom, into: &sink)
    guard whole >= source.rows else {
      throw .truncated("\(whole) of \(source.rows) rows of tiles have come")
    }
  }

  private func planes(of colours: CodedPlanes) -> PlaneDelivery? {
    PlaneDelivery(
      colours, coding: picture.coding ?? colours.coding, area: picture.geometry.area)
  }

  /// AV1 says whether its alpha has the full range, which it should (AV1 in HEIF, 4.1); encoders of old
  /// wrote the limited one, and viewers honour that. HEVC's word is no guide.
  private func alphaPlane(_ alpha: CodedPlanes) -> AlphaPlane {
    AlphaPlane(
      view: alpha.planes[0],
      isFullRange: picture.alpha?.codec != .av1 || alpha.coding.isFullRange)
  }

  private func deliverPixels<Sink: RowSink & ~Copyable>(
    _ colours: CodedPlanes, alpha: AlphaPlane?, above bottom: Int = .max, into sink: inout Sink
  ) throws(DecodeFailure) {
    let pixels = try PixelDelivery(
      colours, alpha: alpha, coding: picture.coding ?? colours.coding,
      isPremultiplied: picture.isPremultiplied, area: picture.geometry.area)
    try pixels.deliver(above: bottom, into: &sink)
  }
}
