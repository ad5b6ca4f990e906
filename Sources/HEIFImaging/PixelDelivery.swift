internal import CHEIF
internal import Imaging
internal import Media

/// Delivers a picture of separate components as interleaved rows of 8 or 16 bits a sample.
struct PixelDelivery {
  /// Red, green, blue or gray; then alpha.
  private let components: [Component]
  private let raster: RasterDescription
  private let unpremultiplies: Bool

  private struct Component {
    let plane: DecodedImage.Plane
    /// Each stored sample's value on the full scale; nil where the samples are on it already.
    let table: [UInt16]?
  }

  init(
    _ image: borrowing DecodedImage, isPremultiplied: Bool
  ) throws(DecodeFailure) {
    let rgb = [heif_channel_R, heif_channel_G, heif_channel_B].compactMap { image.plane($0) }
    let colour = rgb.isEmpty ? [heif_channel_Y].compactMap { image.plane($0) } : rgb
    let alpha = [heif_channel_Alpha].compactMap { image.plane($0) }
    let planes = colour + alpha
    guard colour.count == 1 || colour.count == 3, let size = planes.first?.size,
      planes.allSatisfy({ $0.size == size })
    else { throw .corrupt("the picture's components differ in size") }
    let isDeep = planes.contains { $0.bitDepth > 8 }
    let isLimited = rgb.isEmpty && image.isLimitedRange
    components = planes.indices.map { index in
      let scale = SampleScale(
        bitDepth: planes[index].bitDepth, isLimited: isLimited && index < colour.count)
      return Component(plane: planes[index], table: scale.table(maximum: isDeep ? 65_535 : 255))
    }
    raster = RasterDescription(
      model: rgb.isEmpty ? .gray : .rgb, hasAlpha: !alpha.isEmpty,
      depth: isDeep ? .sixteen : .eight,
      planes: [RasterDescription.Plane(size: size, components: planes.count)])
    unpremultiplies = isPremultiplied && !alpha.isEmpty
  }

  func deliver<Sink: RowSink & ~Copyable>(into sink: inout Sink) throws(DecodeFailure) {
    try sink.begin(raster)
    switch raster.depth {
    case .eight:
      try deliver(as: UInt8.self) { row throws(DecodeFailure) in try sink.consume(row, plane: 0) }
    case .sixteen:
      try deliver(as: UInt16.self) { row throws(DecodeFailure) in try sink.consume(row, plane: 0) }
    }
  }

  private func deliver<Sample: FixedWidthInteger & UnsignedInteger>(
    as sample: Sample.Type, _ consume: (Span<Sample>) throws(DecodeFailure) -> Void
  ) throws(DecodeFailure) {
    var pixels = [Sample](repeating: 0, count: raster.size.width * components.count)
    for row in 0..<raster.size.height {
      for index in components.indices { interleave(index, row, into: &pixels) }
      if unpremultiplies { divideByAlpha(&pixels) }
      try consume(pixels.span)
    }
  }

  private func interleave<Sample: FixedWidthInteger & UnsignedInteger>(
    _ index: Int, _ row: Int, into pixels: inout [Sample]
  ) {
    let component = components[index]
    if component.plane.bitDepth > 8 {
      unsafe Self.scatter(
        component.plane.row16(row), component.table, &pixels, index, components.count)
    } else {
      unsafe Self.scatter(
        component.plane.row8(row), component.table, &pixels, index, components.count)
    }
  }

  private static func scatter<Stored: FixedWidthInteger, Sample: FixedWidthInteger>(
    _ row: UnsafeBufferPointer<Stored>, _ table: [UInt16]?, _ pixels: inout [Sample], _ first: Int,
    _ step: Int
  ) {
    unsafe pixels.withUnsafeMutableBufferPointer { pixels in
      var position = first
      if let table {
        for column in 0..<row.count {
          let sample = min(Int(unsafe row[column]), table.count - 1)
          unsafe pixels[position] = Sample(truncatingIfNeeded: table[sample])
          position += step
        }
      } else {
        for column in 0..<row.count {
          unsafe pixels[position] = Sample(truncatingIfNeeded: row[column])
          position += step
        }
      }
    }
  }

  private func divideByAlpha<Sample: FixedWidthInteger & UnsignedInteger>(
    _ pixels: inout [Sample]
  ) {
    let count = components.count
    for start in stride(from: 0, to: pixels.count, by: count) {
      let alpha = Int(pixels[start + count - 1])
      for index in start..<start + count - 1 {
        let value = Int(pixels[index]) * Int(Sample.max)
        pixels[index] = alpha == 0 ? 0 : Sample(clamping: (value + alpha / 2) / alpha)
      }
    }
  }
}
