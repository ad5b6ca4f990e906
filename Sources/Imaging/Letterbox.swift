internal import Media

/// The bars around a thumbnail that is stored in another shape than its picture: cameras write
/// 160 × 120 whatever the picture is (Exif 2.3 §4.6.5, DCF 2.0 §3.3.8).
struct Letterbox: RowSink {
  /// The mean of a black bar, 0…255: its edge rings.
  private static let blackest = 20.0
  /// Rows of the picture next to a bar that are cut with it, beside the one that is part of both.
  private static let margin = 1

  /// What is picture, from the first row or column to the last.
  private let content: Range<Int>
  /// The thumbnail's height or width.
  private let whole: Int
  /// Whether the bars lie above and below.
  private let isHigh: Bool
  private var row = 0
  private var components = 1
  private var sum = 0
  private var count = 0

  /// Nil where the bars would leave less than half.
  init?(of shape: PixelSize, size: PixelSize) {
    let height = Double(size.width) * Double(shape.height) / Double(max(1, shape.width))
    let width = Double(size.height) * Double(shape.width) / Double(max(1, shape.height))
    isHigh = height < Double(size.height)
    whole = isHigh ? size.height : size.width
    let inner = isHigh ? height : width
    let bar = (Double(whole) - inner) / 2
    guard inner * 2 >= Double(whole), bar >= Double(Self.margin + 1) else { return nil }
    content = Int(bar.rounded(.down))..<whole - Int(bar.rounded(.down))
  }

  /// What lies between the bars; nil where they are not black.
  var picture: UnitRectangle? {
    guard count > 0, Double(sum) <= Self.blackest * Double(count) else { return nil }
    let start = Double(content.lowerBound + 1 + Self.margin) / Double(whole)
    let length = Double(content.count - 2 - 2 * Self.margin) / Double(whole)
    return isHigh
      ? UnitRectangle(x: 0, y: start, width: 1, height: length)
      : UnitRectangle(x: start, y: 0, width: length, height: 1)
  }

  mutating func begin(_ raster: RasterDescription) throws(DecodeFailure) {
    guard raster.model != .cmyk, raster.depth == .eight, !raster.hasAlpha else {
      throw .unsupported("a thumbnail of another kind")
    }
    components = raster.planes.first?.components ?? 1
  }

  mutating func consume(_ samples: Span<UInt8>, plane: Int) throws(DecodeFailure) {
    guard plane == 0 else { return }
    defer { row += 1 }
    if isHigh {
      if isBar(row) { take(samples, 0..<samples.count) }
    } else {
      let columns = samples.count / components
      for column in 0..<columns where isBar(column) {
        take(samples, column * components..<(column + 1) * components)
      }
    }
  }

  mutating func consume(_ samples: Span<UInt16>, plane: Int) throws(DecodeFailure) {}

  private func isBar(_ place: Int) -> Bool {
    !content.contains(place)
  }

  private mutating func take(_ samples: Span<UInt8>, _ places: Range<Int>) {
    for place in places { sum += Int(samples[place]) }
    count += places.count
  }
}
