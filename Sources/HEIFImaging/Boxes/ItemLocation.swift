internal import Imaging

/// Where an item's bytes lie (`iloc`; ISO/IEC 14496-12, 8.11.3).
struct ItemLocation {
  enum Origin: Int {
    /// Offsets count from the start of the file.
    case file = 0
    /// Offsets count inside `idat`.
    case itemData = 1
    /// Offsets count inside another item.
    case item = 2
  }

  var origin: Origin
  var extents: [Range<Int>]

  /// The locations of all items, in the box's order.
  static func all(in box: BoxContent) throws(DecodeFailure) -> [(Int, ItemLocation)] {
    var box = box
    let (version, _) = try box.versionAndFlags()
    guard version <= 2 else { throw .unsupported("iloc version \(version)") }
    let widths = Widths(try box.number(bytes: 2), version: version)
    let count = try box.number(bytes: version == 2 ? 4 : 2)
    guard count <= ItemCatalogue.entryLimit else { throw .corrupt("\(count) item locations") }
    var locations: [(Int, ItemLocation)] = []
    var extents = 0
    for _ in 0..<count {
      let number = try box.number(bytes: version == 2 ? 4 : 2)
      let location = try ItemLocation(&box, widths, version: version)
      extents += location.extents.count
      guard extents <= ItemCatalogue.entryLimit else { throw .corrupt("too many extents") }
      locations.append((number, location))
    }
    return locations
  }

  private init(
    _ box: inout BoxContent, _ widths: Widths, version: Int
  ) throws(DecodeFailure) {
    let method = version == 0 ? 0 : try box.number(bytes: 2) & 15
    guard let origin = Origin(rawValue: method) else {
      throw .corrupt("construction method \(method)")
    }
    self.origin = origin
    try box.skip(2)
    let base = try box.number(bytes: widths.base)
    extents = []
    for _ in 0..<(try box.number(bytes: 2)) {
      extents.append(try Self.extent(&box, widths, base: base))
    }
  }

  /// Bytes a field, from the box's two bytes of four 4-bit numbers.
  private struct Widths {
    var offset: Int
    var length: Int
    var base: Int
    var index: Int

    init(_ fields: Int, version: Int) {
      offset = fields >> 12
      length = fields >> 8 & 15
      base = fields >> 4 & 15
      index = version == 0 ? 0 : fields & 15
    }
  }

  private static func extent(
    _ box: inout BoxContent, _ widths: Widths, base: Int
  ) throws(DecodeFailure) -> Range<Int> {
    try box.skip(widths.index)
    let (start, startOverflow) = base.addingReportingOverflow(try box.number(bytes: widths.offset))
    let length = try box.number(bytes: widths.length)
    let (end, endOverflow) = start.addingReportingOverflow(length)
    guard !startOverflow, !endOverflow else { throw .corrupt("an item's place is out of range") }
    // A length of 0 means: to the end of the source (8.11.3.1).
    return start..<(length == 0 ? .max : end)
  }
}
