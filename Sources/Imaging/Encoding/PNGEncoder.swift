internal import CCodecShims
internal import Media

/// 8-bit PNG without metadata (libpng).
package enum PNGEncoder {
  /// zlib's and libpng's settings.
  private struct Effort {
    var level: Int32
    var strategy: Int32
    var filters: Int32

    /// Once filtered, a photograph has no repeated strings worth looking for: run lengths (Z_RLE) and
    /// Huffman codes take a fifth of the time for 6 % more bytes. SUB, UP and PAETH.
    static let photograph = Effort(level: 1, strategy: 3, filters: 0x10 | 0x20 | 0x80)
    /// Drawings repeat themselves: zlib's default level and strategy (Z_FILTERED), all filters.
    static let drawing = Effort(level: 6, strategy: 1, filters: 0x08 | 0x10 | 0x20 | 0x40 | 0x80)
  }

  /// Writes a gray or RGB picture, each with or without alpha.
  package static func encode(
    _ picture: BoundedPicture<UInt8>
  ) throws(DecodeFailure) -> EncodedPicture {
    let effort = picture.repeatsPixels ? Effort.drawing : .photograph
    let bytes = unsafe try CEncoder.bytes(of: picture.planes) { pixels, encoded in
      unsafe ccodecs_png_encode(
        pixels.pointee, effort.level, effort.strategy, effort.filters, encoded)
    }
    return EncodedPicture(format: .png, size: picture.size, bytes: bytes)
  }
}

extension BoundedPicture<UInt8> {
  /// Whether half of the pixels are equal to their left neighbours, as in drawings.
  fileprivate var repeatsPixels: Bool {
    guard let plane = planes.first else { return false }
    let components = plane.components
    var equal = 0
    for pixel in stride(from: components, to: plane.samples.count, by: components)
    where (0..<components).allSatisfy({
      plane.samples[pixel + $0] == plane.samples[pixel + $0 - components]
    }) {
      equal += 1
    }
    return equal * 2 >= plane.samples.count / max(1, components)
  }
}
