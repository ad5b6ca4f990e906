import Files
import Glibc
import HEIFImaging
import Imaging
import Media
import TestSupport

/// What a decoder delivered.
struct Decoded {
  var header: PictureHeader
  var raster: RasterDescription
  /// The rows of each plane, 16-bit samples by their upper half.
  var planes: [[UInt8]]
  /// Samples of 16-bit rows.
  var deep: [UInt16]
}

/// Decodes the bytes of a file.
func decode(
  _ bytes: [UInt8], source: HEIFDecoder.Source = .primary, limits: DecodeLimits = DecodeLimits()
) throws -> Decoded {
  let file = try MemoryFile.create("picture")
  let span = bytes.span
  unsafe try file.write(span.bytes)
  return try decode(file.number, source, limits)
}

/// Decodes a file.
func decode(path: String) throws -> Decoded {
  let file = try Descriptor.open(path, flags: O_RDONLY)
  return try decode(file.number, .primary, DecodeLimits())
}

/// The header alone.
func header(of bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) throws -> PictureHeader {
  let file = try MemoryFile.create("picture")
  let span = bytes.span
  unsafe try file.write(span.bytes)
  var decoder = HEIFDecoder(input: file.number)
  return try decoder.readHeader(limits)
}

private func decode(
  _ descriptor: Int32, _ source: HEIFDecoder.Source, _ limits: DecodeLimits
) throws -> Decoded {
  var decoder = HEIFDecoder(input: descriptor, source: source)
  let header = try decoder.readHeader(limits)
  var sink = CollectingSink()
  try decoder.decode(needed: nil, into: &sink)
  guard let raster = sink.raster else { throw DecodeFailure.corrupt("nothing delivered") }
  return Decoded(
    header: header, raster: raster,
    planes: sink.planes, deep: sink.deep)
}

/// Keeps all rows.
private struct CollectingSink: RowSink, ~Copyable {
  var raster: RasterDescription?
  var planes: [[UInt8]] = []
  var deep: [UInt16] = []

  mutating func begin(_ raster: RasterDescription) throws(DecodeFailure) {
    self.raster = raster
    planes = raster.planes.map { _ in [] }
  }

  mutating func consume(_ row: Span<UInt8>, plane: Int) throws(DecodeFailure) {
    for index in row.indices { planes[plane].append(row[index]) }
  }

  mutating func consume(_ row: Span<UInt16>, plane: Int) throws(DecodeFailure) {
    for index in row.indices {
      deep.append(row[index])
      planes[plane].append(UInt8(row[index] >> 8))
    }
  }
}

extension Decoded {
  /// The picture as displayed.
  var pixels: PixelMap { stored.displayed(header.rasterOrientation) }

  private var stored: PixelMap {
    let (size, plane) = (raster.size, raster.planes[0])
    guard raster.planes.count == 3 else {
      return PixelMap(
        width: size.width, height: size.height, components: plane.components, samples: planes[0])
    }
    return PixelMap(width: size.width, height: size.height, components: 3, samples: rgb)
  }

  /// JFIF's conversion, each chroma sample used for all pixels it covers.
  private var rgb: [UInt8] {
    let (size, chroma) = (raster.size, raster.planes[1].size)
    var samples: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let place = y * chroma.height / size.height * chroma.width + x * chroma.width / size.width
        let luma = Float(planes[0][y * size.width + x])
        let (blue, red) = (Float(planes[1][place]) - 128, Float(planes[2][place]) - 128)
        for value in [
          luma + 1.402 * red, luma - 0.344136 * blue - 0.714136 * red, luma + 1.772 * blue,
        ] {
          samples.append(UInt8(min(max(value, 0), 255).rounded()))
        }
      }
    }
    return samples
  }
}

extension PixelMap {
  /// The picture turned for display, pixel by pixel after the table of Exif 2.32, tag 0x0112.
  fileprivate func displayed(_ orientation: Orientation) -> PixelMap {
    if orientation == .up { return self }
    let size = orientation.displayed(PixelSize(width: width, height: height))
    let (right, bottom) = (width - 1, height - 1)
    var turned: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let (column, row) =
          switch orientation {
          case .up: (x, y)
          case .upMirrored: (right - x, y)
          case .down: (right - x, bottom - y)
          case .downMirrored: (x, bottom - y)
          case .leftMirrored: (y, x)
          case .right: (y, bottom - x)
          case .rightMirrored: (right - y, bottom - x)
          case .left: (right - y, x)
          }
        turned += self[column, row]
      }
    }
    return PixelMap(width: size.width, height: size.height, components: components, samples: turned)
  }
}
