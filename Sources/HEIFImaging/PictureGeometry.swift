internal import Imaging
internal import Media

/// What an item's transformative properties make of its coded picture.
struct PictureGeometry: Hashable {
  /// The part of the coded picture that is shown.
  private(set) var area: PixelArea
  /// How the area is turned for display.
  var orientation: Orientation {
    switch (isTransposed, mirrorsColumns, mirrorsRows) {
    case (false, false, false): .up
    case (false, true, false): .upMirrored
    case (false, true, true): .down
    case (false, false, true): .downMirrored
    case (true, false, false): .leftMirrored
    case (true, true, false): .right
    case (true, true, true): .rightMirrored
    case (true, false, true): .left
    }
  }
  /// First rows become columns, then columns and rows are mirrored.
  private var isTransposed = false
  private var mirrorsColumns = false
  private var mirrorsRows = false

  init(coded size: PixelSize, _ properties: [ItemProperty]) throws(DecodeFailure) {
    area = PixelArea(x: 0, y: 0, size: size)
    for property in properties {
      switch property {
      case .cleanAperture(let aperture): try cut(aperture)
      case .rotation(let quarters): for _ in 0..<quarters { turn() }
      case .mirror(let axis): if axis == 0 { mirrorsRows.toggle() } else { mirrorsColumns.toggle() }
      default: break
      }
    }
  }

  /// The size for display.
  var size: PixelSize { orientation.displayed(area.size) }

  private mutating func cut(_ aperture: CleanAperture) throws(DecodeFailure) {
    // MIAF wants it first (ISO/IEC 23000-22, 7.3.6.7).
    guard orientation == .up else { throw .unsupported("a clean aperture after a turn") }
    let part = try aperture.area(in: area.size)
    area = PixelArea(x: area.x + part.x, y: area.y + part.y, size: part.size)
  }

  /// A quarter, anti-clockwise.
  private mutating func turn() {
    isTransposed.toggle()
    (mirrorsColumns, mirrorsRows) = (mirrorsRows, !mirrorsColumns)
  }
}
