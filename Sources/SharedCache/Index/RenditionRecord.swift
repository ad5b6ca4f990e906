package import Media

/// A picture made from an original: where it lies and what it is.
package struct RenditionRecord: Sendable, Hashable {
  package var object: ObjectName
  package var format: MediaFormat
  /// As displayed.
  package var size: PixelSize
  package var frames: Int
  /// Length of the object.
  package var bytes: Int
  /// What the caller wants to know again: opaque here.
  package var details: [UInt8]

  package init(
    object: ObjectName, format: MediaFormat, size: PixelSize, frames: Int, bytes: Int,
    details: [UInt8] = []
  ) {
    self.object = object
    self.format = format
    self.size = size
    self.frames = frames
    self.bytes = bytes
    self.details = details
  }
}

extension RenditionRecord {
  static let columns =
    "original, key, object, extension, format, width, height, frames, bytes, details"

  func values(original: ContentHash, key: String) -> [SQLValue] {
    [
      SQLValue(original), .text(key), SQLValue(object.hash), .text(object.fileExtension ?? ""),
      .text(format.rawValue), SQLValue(size.width), SQLValue(size.height), SQLValue(frames),
      SQLValue(bytes), .blob(details),
    ]
  }

  /// Reads `columns` and the checksum after them; nil when they do not agree.
  init?(_ row: [SQLValue]) {
    guard row.count >= 11, row[10].integer == Array(row[..<10]).checksum, let hash = row[2].hash,
      let object = ObjectName(fileName: "\(hash.hex).\(row[3].text ?? "")", area: .objects),
      let format = row[4].text.flatMap(MediaFormat.init(rawValue:)), let width = row[5].int,
      let height = row[6].int, let frames = row[7].int, let bytes = row[8].int,
      let details = row[9].blob
    else { return nil }
    self.init(
      object: object, format: format, size: PixelSize(width: width, height: height),
      frames: frames, bytes: bytes, details: details)
  }
}
