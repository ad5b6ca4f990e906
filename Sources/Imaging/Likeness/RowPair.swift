internal import Media

/// Gives each row to a pass and to a coarse picture as well, which may be of no use for it.
struct RowPair: RowSink {
  var pass: RenditionPass
  /// Nil where the picture is of a kind that is not compared.
  private(set) var coarse: CoarsePicture?

  init(_ pass: RenditionPass, _ coarse: CoarsePicture?) {
    self.pass = pass
    self.coarse = coarse
  }

  mutating func begin(_ raster: RasterDescription) throws(DecodeFailure) {
    try pass.begin(raster)
    do throws(DecodeFailure) {
      try coarse?.begin(raster)
    } catch {
      coarse = nil
    }
  }

  mutating func consume(_ row: Span<UInt8>, plane: Int) throws(DecodeFailure) {
    try pass.consume(row, plane: plane)
    try coarse?.consume(row, plane: plane)
  }

  mutating func consume(_ row: Span<UInt16>, plane: Int) throws(DecodeFailure) {
    try pass.consume(row, plane: plane)
    try coarse?.consume(row, plane: plane)
  }
}
