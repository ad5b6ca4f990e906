import Files
import Imaging
import Media

/// All that a decoder delivered, for comparison.
struct DecodedPicture: RowSink, Hashable {
  var header: PictureHeader?
  var raster: RasterDescription?
  /// Samples of each plane, 8-bit ones too as UInt16.
  var planes: [[UInt16]] = []
  /// What ended the delivery early.
  var failure: DecodeFailure?
  var wasHurried = false

  mutating func begin(_ raster: RasterDescription) throws(DecodeFailure) {
    self.raster = raster
    planes = raster.planes.map { _ in [] }
  }

  mutating func consume(_ row: Span<UInt8>, plane: Int) throws(DecodeFailure) {
    for index in row.indices { planes[plane].append(UInt16(row[index])) }
  }

  mutating func consume(_ row: Span<UInt16>, plane: Int) throws(DecodeFailure) {
    for index in row.indices { planes[plane].append(row[index]) }
  }

  /// Whole rows that plane 0 got.
  var rows: Int {
    guard let plane = raster?.planes.first else { return 0 }
    return planes[0].count / (plane.size.width * plane.components)
  }

  /// Whether each plane got exactly the samples that were announced.
  var isWhole: Bool {
    guard let raster else { return false }
    return zip(raster.planes, planes).allSatisfy { plane, samples in
      samples.count == plane.size.width * plane.size.height * plane.components
    }
  }

  /// All planes one after the other, 16-bit samples as two bytes, least significant first.
  var bytes: [UInt8] {
    let isWide = raster?.depth == .sixteen
    return planes.joined().flatMap { sample in
      isWide ? [UInt8(sample & 255), UInt8(sample >> 8)] : [UInt8(sample)]
    }
  }
}

/// Reads header and rows of `bytes`; a failure of the header is thrown, one of the rows kept.
func decodePicture(
  _ bytes: [UInt8], as format: MediaFormat, needed: PixelSize? = nil,
  limits: DecodeLimits = DecodeLimits(), use: ScanUse = .enough(time: nil)
) throws -> DecodedPicture {
  let span = bytes.span
  let file = unsafe try MemoryFile.sealed("picture", holding: span.bytes)
  let number = file.number
  return try withPictureDecoder(
    for: format, input: number, use: use
  ) { (decoder) throws(DecodeFailure) in
    let header = try decoder.readHeader(limits)
    var picture = DecodedPicture()
    do throws(DecodeFailure) {
      try decoder.decode(needed: needed, into: &picture)
    } catch {
      picture.failure = error
    }
    picture.header = header
    picture.wasHurried = decoder.wasHurried
    return picture
  }
}
