package import Media

/// A thumbnail within a file: a JPEG file, which has its metadata from the picture around it.
package struct EmbeddedJPEG: Sendable, Hashable {
  /// Where it lies in the file.
  package var part: Range<Int>
  /// How it is turned for display.
  package var orientation: Orientation

  /// The thumbnail of an Exif block that lies at `offset` of the file; nil where it has none.
  /// Formats other than JPEG store the block with its introduction or without.
  package init?(exif bytes: [UInt8], at offset: Int) {
    let skipped = bytes.matches("Exif\0\0") ? 6 : 0
    let tiff = Array(bytes.dropFirst(skipped))
    guard let range = ExifThumbnail.range(in: tiff) else { return nil }
    let start = offset + skipped
    part = start + range.lowerBound..<start + range.upperBound
    orientation = Orientation(exif: tiff)
  }
}

/// Finds the thumbnail in an Exif block: a JPEG file that the second directory points to (Exif 2.3
/// §4.5.5, TIFF tags 0x0201 and 0x0202).
enum ExifThumbnail {
  /// The smallest JPEG file with a picture is longer.
  private static let leastBytes = 64
  private static let offsetTag = 0x0201
  private static let lengthTag = 0x0202

  /// Where it lies in the block; nil where there is none, or none that lies in it wholly.
  static func range(in tiff: [UInt8]) -> Range<Int>? {
    guard let order = ByteOrder(ofTIFF: tiff),
      let first = tiff.unsigned(at: 4, bytes: 4, order),
      let count = tiff.unsigned(at: first, bytes: 2, order),
      let second = tiff.unsigned(at: first + 2 + count * 12, bytes: 4, order), second > 0,
      let entries = tiff.unsigned(at: second, bytes: 2, order)
    else { return nil }
    var values: [Int: Int] = [:]
    for index in 0..<entries {
      let entry = second + 2 + index * 12
      guard let tag = tiff.unsigned(at: entry, bytes: 2, order),
        let value = tiff.unsigned(at: entry + 8, bytes: 4, order)
      else { return nil }
      if tag == offsetTag || tag == lengthTag { values[tag] = value }
    }
    guard let start = values[offsetTag], let length = values[lengthTag],
      length >= leastBytes, start <= tiff.count, length <= tiff.count - start,
      tiff[start] == 0xff, tiff[start + 1] == 0xd8
    else { return nil }
    return start..<start + length
  }
}
