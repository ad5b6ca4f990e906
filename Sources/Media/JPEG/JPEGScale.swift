/// At which scale a JPEG is decoded: the decoder's rule, and what early stops of downloads go by.
package enum JPEGScale {
  /// Eighths to decode at, so that both sides are at least 1.45 × `needed`; nil needs every pixel.
  /// Only 1, 2, 4 and 8 have fast inverse transforms, and 1.45 × the target keeps the quality of a
  /// full decode.
  package static func eighths(of size: PixelSize, needed: PixelSize?) -> Int {
    guard let needed else { return 8 }
    let suffices = { (eighths: Int) in
      leaves(size.width * eighths, needed.width) && leaves(size.height * eighths, needed.height)
    }
    return [1, 2, 4].first(where: suffices) ?? 8
  }

  /// Whether `eighths` / 8 pixels, rounded up, are at least 1.45 × `needed`.
  private static func leaves(_ eighths: Int, _ needed: Int) -> Bool {
    let (wanted, overflow) = needed.multipliedReportingOverflow(by: 145)
    return !overflow && (eighths + 7) / 8 * 100 >= wanted
  }
}
