internal import CCodecShims
internal import Media

/// The C writers' calling convention: pixels in, bytes or a message out.
enum CEncoder {
  /// Lends planes to a C writer and copies what it wrote.
  static func bytes(
    of planes: [PixelPlane<UInt8>],
    _ write: (UnsafePointer<ccodecs_pixels>, UnsafeMutablePointer<ccodecs_encoded>) -> Bool
  ) throws(DecodeFailure) -> [UInt8] {
    var encoded = unsafe ccodecs_encoded()
    let written = unsafe withPixels(planes[...], lent: []) { unsafe write($0, &encoded) }
    guard written else {
      if unsafe encoded.out_of_memory { throw .outOfMemory }
      throw .corrupt(unsafe String(cString: ccodecs_encoded_message(&encoded)))
    }
    let bytes = unsafe Array(UnsafeBufferPointer(start: encoded.bytes, count: encoded.count))
    unsafe ccodecs_encoded_free(&encoded)
    return bytes
  }

  private static func withPixels(
    _ planes: ArraySlice<PixelPlane<UInt8>>, lent: [ccodecs_pixels],
    _ body: (UnsafePointer<ccodecs_pixels>) -> Bool
  ) -> Bool {
    guard let plane = planes.first else {
      return unsafe lent.withUnsafeBufferPointer { pixels in
        guard let base = pixels.baseAddress else { return false }
        return unsafe body(base)
      }
    }
    return unsafe plane.samples.withUnsafeBufferPointer { samples in
      let pixels = unsafe ccodecs_pixels(
        samples: samples.baseAddress, width: UInt32(plane.size.width),
        height: UInt32(plane.size.height), components: UInt32(plane.components))
      return unsafe withPixels(planes.dropFirst(), lent: lent + [pixels], body)
    }
  }
}
