internal import Media

/// One component of a decoded picture, in memory that somebody else owns.
@safe
struct PlaneView {
  let size: PixelSize
  /// Bits a sample that carry information: 8 are stored in a byte, more in two bytes, natively.
  let bitDepth: Int
  private let start: UnsafeRawPointer
  /// Bytes from row to row.
  private let stride: Int

  /// - Safety: `start` must lead to `size.height` rows of `stride` bytes for as long as the view is
  ///   used, each with `size.width` samples.
  @unsafe
  init(size: PixelSize, bitDepth: Int, start: UnsafeRawPointer, stride: Int) {
    self.size = size
    self.bitDepth = bitDepth
    unsafe self.start = start
    self.stride = stride
  }

  var sampleBytes: Int { bitDepth > 8 ? 2 : 1 }

  /// The bytes of one row.
  func row(_ index: Int) -> UnsafeRawBufferPointer {
    precondition(0..<size.height ~= index)
    return unsafe UnsafeRawBufferPointer(
      start: start + index * stride, count: size.width * sampleBytes)
  }

  /// The samples of one row of an 8-bit plane.
  func row8(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    unsafe row(index).assumingMemoryBound(to: UInt8.self)
  }

  /// The samples of one row of a deeper plane.
  func row16(_ index: Int) -> UnsafeBufferPointer<UInt16> {
    precondition(bitDepth > 8)
    return unsafe row(index).assumingMemoryBound(to: UInt16.self)
  }

  /// The part of the plane that a part of the picture covers.
  func cropped(_ area: PixelArea) -> PlaneView {
    precondition(area.x + area.size.width <= size.width && area.y + area.size.height <= size.height)
    return unsafe PlaneView(
      size: area.size, bitDepth: bitDepth, start: start + area.y * stride + area.x * sampleBytes,
      stride: stride)
  }
}

/// What a decoder made of one coded item: luma alone, or luma and two colour differences.
struct CodedPlanes {
  var planes: [PlaneView]
  /// As the bitstream says.
  var coding: ColourCoding

  var size: PixelSize { planes[0].size }

  /// Whether the planes are 8 bits deep and, their range apart, JFIF's (or gray).
  func isJFIF(_ coding: ColourCoding) -> Bool {
    planes.count == 1 ? true : coding.isBT601 && planes.allSatisfy { $0.bitDepth == 8 }
  }
}

/// A rectangle of whole pixels.
struct PixelArea: Hashable {
  var x: Int
  var y: Int
  var size: PixelSize
}
