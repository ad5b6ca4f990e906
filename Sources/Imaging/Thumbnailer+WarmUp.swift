internal import Glibc
internal import Media

extension Thumbnailer {
  /// Does once, on a picture of four pixels, what libraries do lazily: lcms2 asks for the time and with
  /// it for the time zone's file, Swift's hash tables for random bytes, libgomp for its first team, qsort
  /// for the machine's memory.
  /// Afterwards rendering opens nothing.
  package static func warmUp() {
    let picture = PixelPlane<UInt8>(
      size: PixelSize(width: 2, height: 2), components: 3,
      samples: [UInt8](repeating: 90, count: 12)
    ).asRGB
    encode(picture, .jpeg)
    encode(picture, .png)
    encode(picture, .gif)
    ProfileHandle.readClock()
    _ = Set([picture.size])
    sort()
  }

  /// The C library's qsort asks for the memory's size once it sorts more than a kilobyte
  /// (libimagequant sorts colours).
  private static func sort() {
    var numbers = [Int64](repeating: 0, count: 256)
    unsafe qsort(&numbers, numbers.count, MemoryLayout<Int64>.stride) { _, _ in 0 }
  }

  // Inlined, this makes swiftc 6.3.1 fail its ownership check.
  @inline(never)
  private static func encode(
    _ picture: BoundedPicture<UInt8>, _ format: RenderRequest.OutputFormat
  ) {
    let encoder = StillEncoder(RenderRequest(operation: .render, outputFormat: format))
    _ = Result { () throws(DecodeFailure) in try encoder.encode(picture, budget: nil) }
  }
}

extension PixelPlane<UInt8> {
  fileprivate var asRGB: BoundedPicture<UInt8> {
    BoundedPicture(model: .rgb, hasAlpha: false, planes: [self])
  }
}
