internal import Media

extension Orientation {
  /// The orientation that an Exif block (a TIFF file, TIFF 6.0 section 2) declares in its first
  /// directory, tag 0x0112; `up` where there is none or it is not among 1…8.
  init(exif tiff: [UInt8]) {
    self = Orientation.declared(in: tiff) ?? .up
  }

  private static func declared(in tiff: [UInt8]) -> Orientation? {
    guard let order = ByteOrder(ofTIFF: tiff),
      let directory = tiff.unsigned(at: 4, bytes: 4, order),
      let entries = tiff.unsigned(at: directory, bytes: 2, order)
    else { return nil }
    for index in 0..<entries {
      let entry = directory + 2 + index * 12
      guard let tag = tiff.unsigned(at: entry, bytes: 2, order) else { return nil }
      if tag == 0x0112 { return value(of: entry, in: tiff, order) }
    }
    return nil
  }

  /// A single SHORT by the standard; some writers store a BYTE or a LONG.
  private static func value(of entry: Int, in tiff: [UInt8], _ order: ByteOrder) -> Orientation? {
    let widths = [1: 1, 3: 2, 4: 4]
    guard let type = tiff.unsigned(at: entry + 2, bytes: 2, order), let width = widths[type],
      let value = tiff.unsigned(at: entry + 8, bytes: width, order)
    else { return nil }
    return UInt8(exactly: value).flatMap(Orientation.init(rawValue:))
  }
}
