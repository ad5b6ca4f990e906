internal import CCodecShims
internal import Media

/// Baseline 4:2:0 JPEG without metadata (libjpeg-turbo).
package enum JPEGEncoder {
  /// Writes a gray or RGB picture, or YCbCr with chroma of half its size, without alpha; `quality` is
  /// 1…100 on libjpeg's scale.
  package static func encode(
    _ picture: BoundedPicture<UInt8>, quality: Int
  ) throws(DecodeFailure) -> EncodedPicture {
    let quality = Int32(clamping: quality)
    let bytes = unsafe try CEncoder.bytes(of: picture.planes) { pixels, encoded in
      if picture.model == .yCbCr {
        unsafe ccodecs_jpeg_encode_planes(pixels, quality, encoded)
      } else {
        unsafe ccodecs_jpeg_encode_rows(pixels.pointee, quality, encoded)
      }
    }
    return EncodedPicture(format: .jpeg, size: picture.size, bytes: bytes)
  }
}
