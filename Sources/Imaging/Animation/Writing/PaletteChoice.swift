/// How animated frames are brought down to a palette.
struct PaletteChoice: Sendable, Hashable {
  /// The transparent one included.
  var colours = 256
  /// 0…1.
  var dithering: Float = 1
  /// By how much red, green and blue together may differ from what is shown before a pixel is drawn
  /// again.
  var tolerance = 0
}
