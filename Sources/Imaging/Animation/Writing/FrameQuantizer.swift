internal import CImageQuant
internal import Media

/// Chooses a palette for the drawn pixels of a frame and dithers them (libimagequant). The library
/// takes sixteen bytes and more a pixel: it sees a frame in bands.
@safe struct FrameQuantizer: ~Copyable {
  /// A part of the screen as rows of pixels; 0 is left as it is.
  struct Pixels {
    var size: PixelSize
    var pixels: [UInt32]
  }

  private let attributes: OpaquePointer
  private let choice: PaletteChoice

  /// At this and faster speeds the library keeps the palette as it maps one band after the other.
  private static let speed: Int32 = 6
  private static let bandPixels = 131_072

  private init(adopting attributes: OpaquePointer, choice: PaletteChoice) {
    unsafe self.attributes = attributes
    self.choice = choice
  }

  deinit {
    unsafe liq_attr_destroy(attributes)
  }

  /// Palette and indices of pixels that have too many colours. A palette always has a transparent
  /// index.
  static func quantize(
    _ pixels: Pixels, part: PixelRectangle, choice: PaletteChoice
  ) throws(DecodeFailure) -> IndexedFrame {
    PaletteQuantizer.useOneThread()
    guard let attributes = unsafe liq_attr_create() else { throw .outOfMemory }
    let quantizer = unsafe FrameQuantizer(adopting: attributes, choice: choice)
    // One is kept free: the library adds a transparent entry only where a pixel needs it.
    try check(unsafe liq_set_max_colors(attributes, Int32(max(2, min(255, choice.colours - 1)))))
    try check(unsafe liq_set_speed(attributes, speed))
    let result = try unsafe quantizer.palette(of: pixels)
    defer { unsafe liq_result_destroy(result) }
    try check(unsafe liq_set_dithering_level(result, choice.dithering))
    var indices = [UInt8](repeating: 0, count: part.area)
    try unsafe quantizer.map(pixels, by: result, into: &indices)
    return try unsafe quantizer.frame(part, result, indices)
  }

  /// - Safety: the result is to be destroyed.
  @unsafe private func palette(of pixels: Pixels) throws(DecodeFailure) -> OpaquePointer {
    guard let histogram = unsafe liq_histogram_create(attributes) else { throw .outOfMemory }
    defer { unsafe liq_histogram_destroy(histogram) }
    try unsafe forEachBand(of: pixels) { _, image in
      unsafe liq_histogram_add_image(histogram, attributes, image)
    }
    var result: OpaquePointer?
    try Self.check(unsafe liq_histogram_quantize(histogram, attributes, &result))
    guard let result = unsafe result else { throw .outOfMemory }
    return unsafe result
  }

  @unsafe private func map(
    _ pixels: Pixels, by result: OpaquePointer, into indices: inout [UInt8]
  ) throws(DecodeFailure) {
    let failure = unsafe indices.withUnsafeMutableBytes { indices in
      Result { () throws(DecodeFailure) in
        try unsafe forEachBand(of: pixels) { rows, image in
          let start = rows.lowerBound * pixels.size.width
          let count = rows.count * pixels.size.width
          guard let base = indices.baseAddress else { return LIQ_BUFFER_TOO_SMALL }
          return unsafe liq_write_remapped_image(result, image, base + start, count)
        }
      }
    }
    try failure.get()
  }

  /// Lends one band of rows after the other as an image of the library's.
  @unsafe private func forEachBand(
    of pixels: Pixels, _ body: (Range<Int>, OpaquePointer) -> liq_error
  ) throws(DecodeFailure) {
    let (width, height) = (pixels.size.width, pixels.size.height)
    let bandRows = max(1, Self.bandPixels / max(1, width))
    var failure = LIQ_OK
    for first in stride(from: 0, to: height, by: bandRows) where failure == LIQ_OK {
      let rows = first..<min(height, first + bandRows)
      unsafe pixels.pixels.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress,
          let image = unsafe liq_image_create_rgba(
            attributes, base + first * width * 4, Int32(width), Int32(rows.count),
            PaletteQuantizer.sRGBGamma)
        else {
          failure = LIQ_OUT_OF_MEMORY
          return
        }
        failure = unsafe body(rows, image)
        unsafe liq_image_destroy(image)
      }
    }
    try Self.check(failure)
  }

  @unsafe private func frame(
    _ part: PixelRectangle, _ result: OpaquePointer, _ indices: [UInt8]
  ) throws(DecodeFailure) -> IndexedFrame {
    guard let palette = unsafe liq_get_palette(result) else { throw .outOfMemory }
    let count = min(256, Int(unsafe palette.pointee.count))
    let entries = unsafe withUnsafeBytes(of: palette.pointee.entries) { bytes in
      unsafe Array(bytes.prefix(count * 4))
    }
    var colours = stride(from: 0, to: entries.count, by: 4).map {
      RGBColour(red: entries[$0], green: entries[$0 + 1], blue: entries[$0 + 2])
    }
    var transparent = (0..<count).first { entries[$0 * 4 + 3] == 0 }
    if transparent == nil {
      transparent = count
      colours.append(RGBColour(red: 0, green: 0, blue: 0))
    }
    return IndexedFrame(
      part: part, palette: colours, transparentIndex: transparent, indices: indices)
  }

  private static func check(_ status: liq_error) throws(DecodeFailure) {
    guard status != LIQ_OK else { return }
    if status == LIQ_OUT_OF_MEMORY { throw .outOfMemory }
    throw .corrupt("libimagequant: error \(status.rawValue)")
  }
}
