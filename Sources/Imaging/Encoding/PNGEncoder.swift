internal import CCodecShims
internal import Media

/// 8-bit PNG without metadata (libpng).
package enum PNGEncoder {
  private static let compressionLevel: Int32 = 6
  /// PNG_FILTER_SUB | PNG_FILTER_UP | PNG_FILTER_AVG | PNG_FILTER_PAETH
  private static let filters: Int32 = 0x10 | 0x20 | 0x40 | 0x80

  /// Writes a gray or RGB picture, each with or without alpha.
  package static func encode(
    _ picture: BoundedPicture<UInt8>
  ) throws(DecodeFailure) -> EncodedPicture {
    let bytes = unsafe try CEncoder.bytes(of: picture.planes) { pixels, encoded in
      unsafe ccodecs_png_encode(pixels.pointee, compressionLevel, filters, encoded)
    }
    return EncodedPicture(format: .png, size: picture.size, bytes: bytes)
  }
}
