internal import CDE265
internal import Imaging
internal import Media

/// Decodes single HEVC pictures on the calling thread.
@safe
struct HEVCPicture: ~Copyable {
  private let decoder: UnsafeMutableRawPointer
  /// A bitstream may declare a larger picture than its boxes, and libde265 has no limit of its own.
  private let limits: DecodeLimits

  /// The corresponding C function is `de265_new_decoder`. No worker threads are started.
  private init(pixelLimit: Int) throws(DecodeFailure) {
    guard let decoder = unsafe de265_new_decoder() else { throw .outOfMemory }
    unsafe self.decoder = decoder
    limits = DecodeLimits(maxPixels: pixelLimit)
  }

  deinit {
    unsafe de265_free_decoder(decoder)
  }

  /// The first decoder of a process fills libde265's tables.
  static func warmUp() {
    _ = try? HEVCPicture(pixelLimit: 0)
  }

  /// Decodes one item and shows its planes to `body`.
  static func decode(
    _ data: [UInt8], _ configuration: CodecConfiguration, pixelLimit: Int,
    _ body: (CodedPlanes) throws(DecodeFailure) -> Void
  ) throws(DecodeFailure) {
    let picture = try HEVCPicture(pixelLimit: pixelLimit)
    for unit in configuration.parameterSets { try picture.push(unit[...]) }
    try picture.pushUnits(of: data, lengthSize: configuration.lengthSize)
    try body(picture.decode())
  }

  /// Splits an item into its NAL units (ISO/IEC 14496-15, 4.3.2).
  private borrowing func pushUnits(
    of data: [UInt8], lengthSize: Int
  ) throws(DecodeFailure) {
    var position = 0
    while position < data.count {
      guard data.count - position >= lengthSize else { throw .corrupt("a NAL unit ends early") }
      let start = position + lengthSize
      let length = data[position..<start].reduce(0) { $0 << 8 | Int($1) }
      guard length <= data.count - start else { throw .corrupt("a NAL unit of \(length) bytes") }
      try push(data[start..<start + length])
      position = start + length
    }
  }

  /// The corresponding C function is `de265_push_NAL`.
  private borrowing func push(_ unit: ArraySlice<UInt8>) throws(DecodeFailure) {
    if let size = SequenceParameterSet.codedSize(unit) { try limits.check(size) }
    let error = unsafe unit.withUnsafeBytes { buffer in
      unsafe de265_push_NAL(decoder, buffer.baseAddress, Int32(clamping: buffer.count), 0, nil)
    }
    guard de265_isOK(error) != 0 else { throw failure(error) }
  }

  /// The picture; valid as long as the decoder. The corresponding C functions are `de265_flush_data`,
  /// `de265_decode` and `de265_get_next_picture`.
  private borrowing func decode() throws(DecodeFailure) -> CodedPlanes {
    unsafe de265_flush_data(decoder)
    var more: Int32 = 1
    while more != 0 {
      let error = unsafe de265_decode(decoder, &more)
      guard de265_isOK(error) != 0 else { throw failure(error) }
      if let image = unsafe de265_get_next_picture(decoder) { return try unsafe planes(image) }
    }
    throw .corrupt("the HEVC data holds no picture")
  }

  private borrowing func planes(_ image: OpaquePointer) throws(DecodeFailure) -> CodedPlanes {
    let count = unsafe de265_get_chroma_format(image) == de265_chroma_mono ? 1 : 3
    var planes: [PlaneView] = []
    for channel in 0..<Int32(count) {
      var stride: Int32 = 0
      let start = unsafe de265_get_image_plane(image, channel, &stride)
      guard let start = unsafe start else { throw .corrupt("an HEVC picture without planes") }
      let size = unsafe PixelSize(
        width: Int(de265_get_image_width(image, channel)),
        height: Int(de265_get_image_height(image, channel)))
      let bitDepth = unsafe Int(de265_get_bits_per_pixel(image, channel))
      guard size.width > 0, size.height > 0, 8...16 ~= bitDepth else {
        throw .unsupported("\(bitDepth) bits")
      }
      planes.append(
        unsafe PlaneView(size: size, bitDepth: bitDepth, start: start, stride: Int(stride)))
    }
    return unsafe CodedPlanes(
      planes: planes,
      coding: ColourCoding(
        primaries: Int(de265_get_image_colour_primaries(image)),
        transfer: Int(de265_get_image_transfer_characteristics(image)),
        matrix: Int(de265_get_image_matrix_coefficients(image)),
        isFullRange: de265_get_image_full_range_flag(image) != 0))
  }

  private borrowing func failure(_ error: de265_error) -> DecodeFailure {
    let message = unsafe String(cString: de265_get_error_text(error))
    return switch error {
    case DE265_ERROR_OUT_OF_MEMORY: .outOfMemory
    case DE265_ERROR_NOT_IMPLEMENTED_YET: .unsupported("libde265: \(message)")
    default: .corrupt("libde265: \(message)")
    }
  }
}
