internal import CImageQuant
internal import Media

/// Chooses a palette and dithers (libimagequant).
@safe struct PaletteQuantizer: ~Copyable {
  static let sRGBGamma = 0.45455
  /// libimagequant's own default, on its scale from 1 (slow) to 10 (rough).
  private static let speed: Int32 = 4

  private let attributes: OpaquePointer

  private init(adopting attributes: OpaquePointer) {
    unsafe self.attributes = attributes
  }

  deinit {
    unsafe liq_attr_destroy(attributes)
  }

  /// Keeps libimagequant from starting threads, which a confined child may not.
  static func useOneThread() {
    omp_set_num_threads(1)
  }

  /// A gray or RGB picture in at most `colours` colours. Alpha below half becomes transparent, above
  /// it opaque: GIF knows nothing between.
  static func quantize(
    _ picture: BoundedPicture<UInt8>, colours: Int = 256
  ) throws(DecodeFailure) -> IndexedPicture {
    useOneThread()
    guard let attributes = unsafe liq_attr_create() else { throw .outOfMemory }
    let quantizer = unsafe PaletteQuantizer(adopting: attributes)
    try check(unsafe liq_set_max_colors(attributes, Int32(max(2, min(256, colours)))))
    try check(unsafe liq_set_speed(attributes, speed))
    var pixels = picture.rgbaPixels
    let size = picture.size
    let result = unsafe pixels.withUnsafeMutableBytes { buffer in
      unsafe quantizer.quantized(buffer, size: size)
    }
    return try result.get()
  }

  private borrowing func quantized(
    _ pixels: UnsafeMutableRawBufferPointer, size: PixelSize
  ) -> Result<IndexedPicture, DecodeFailure> {
    guard let base = pixels.baseAddress,
      let image = unsafe liq_image_create_rgba(
        attributes, base, Int32(clamping: size.width), Int32(clamping: size.height),
        Self.sRGBGamma)
    else { return .failure(.outOfMemory) }
    defer { unsafe liq_image_destroy(image) }
    var result: OpaquePointer?
    let status = unsafe liq_image_quantize(image, attributes, &result)
    defer { if let result = unsafe result { unsafe liq_result_destroy(result) } }
    return Result { () throws(DecodeFailure) in
      try Self.check(status)
      guard let result = unsafe result else { throw .outOfMemory }
      return try unsafe Self.remapped(image, result, size: size)
    }
  }

  /// - Safety: both pointers are libimagequant's own, and alive.
  @unsafe private static func remapped(
    _ image: OpaquePointer, _ result: OpaquePointer, size: PixelSize
  ) throws(DecodeFailure) -> IndexedPicture {
    try check(unsafe liq_set_dithering_level(result, 1))
    var indices = [UInt8](repeating: 0, count: size.width * size.height)
    let status = unsafe indices.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return LIQ_BUFFER_TOO_SMALL }
      return unsafe liq_write_remapped_image(result, image, base, buffer.count)
    }
    try check(status)
    guard let palette = unsafe liq_get_palette(result) else { throw .outOfMemory }
    let count = min(256, Int(unsafe palette.pointee.count))
    let entries = unsafe withUnsafeBytes(of: palette.pointee.entries) { bytes in
      unsafe Array(bytes.prefix(count * 4))
    }
    let starts = stride(from: 0, to: entries.count, by: 4)
    return IndexedPicture(
      size: size,
      palette: starts.map {
        RGBColour(red: entries[$0], green: entries[$0 + 1], blue: entries[$0 + 2])
      },
      transparentIndex: starts.first { entries[$0 + 3] == 0 }.map { $0 / 4 }, indices: indices)
  }

  private static func check(_ status: liq_error) throws(DecodeFailure) {
    guard status != LIQ_OK else { return }
    if status == LIQ_OUT_OF_MEMORY { throw .outOfMemory }
    throw .corrupt("libimagequant: error \(status.rawValue)")
  }
}

extension BoundedPicture<UInt8> {
  /// Four bytes a pixel, each either opaque or nothing at all.
  fileprivate var rgbaPixels: [UInt8] {
    guard let plane = planes.first else { return [] }
    let isGray = plane.components < 3
    var pixels: [UInt8] = []
    pixels.reserveCapacity(size.width * size.height * 4)
    for pixel in stride(from: 0, to: plane.samples.count, by: plane.components) {
      guard !hasAlpha || plane.samples[pixel + plane.components - 1] >= 128 else {
        pixels.append(contentsOf: [0, 0, 0, 0])
        continue
      }
      for component in 0..<3 {
        pixels.append(plane.samples[pixel + (isGray ? 0 : component)])
      }
      pixels.append(255)
    }
    return pixels
  }
}
