internal import Media

/// Reads the rows of a picture's area from a plane of any size, as numbers from 0 to 1 (−0.5 to 0.5 for colour
/// differences). A smaller plane is interpolated, its samples taken to lie in the middle of what
/// they cover.
struct PlaneSampler {
  private let plane: PlaneView
  private let range: SampleRange
  private let size: PixelSize
  private let area: PixelArea
  /// Empty where the plane has the picture's width.
  private let columns: [Position]

  /// Between which two samples a place lies, and how near to the second.
  private struct Position {
    let first: Int
    let second: Int
    let share: Float

    init(_ index: Int, of count: Int, among samples: Int) {
      let place = (Float(index) + 0.5) * Float(samples) / Float(count) - 0.5
      let floor = place.rounded(.down)
      first = min(max(Int(floor), 0), samples - 1)
      second = min(max(Int(floor) + 1, 0), samples - 1)
      share = place - floor
    }
  }

  /// `size` is the whole picture's.
  init(_ plane: PlaneView, range: SampleRange, size: PixelSize, area: PixelArea) {
    self.plane = plane
    self.range = range
    self.size = size
    self.area = area
    columns =
      plane.size.width == size.width
      ? []
      : (area.x..<area.x + area.size.width).map {
        Position($0, of: size.width, among: plane.size.width)
      }
  }

  /// One row of the area.
  func row(_ index: Int) -> [Float] {
    let index = area.y + index
    guard plane.size.height != size.height else { return widened(stored(index)) }
    let position = Position(index, of: size.height, among: plane.size.height)
    let (upper, lower) = (stored(position.first), stored(position.second))
    return widened(zip(upper, lower).map { $0 + ($1 - $0) * position.share })
  }

  private func widened(_ row: [Float]) -> [Float] {
    guard !columns.isEmpty else { return Array(row[area.x..<area.x + area.size.width]) }
    return columns.map { row[$0.first] + (row[$0.second] - row[$0.first]) * $0.share }
  }

  private func stored(_ index: Int) -> [Float] {
    let (zero, scale) = (range.zero, 1 / range.span)
    return plane.bitDepth > 8
      ? unsafe plane.row16(index).map { (Float($0) - zero) * scale }
      : unsafe plane.row8(index).map { (Float($0) - zero) * scale }
  }
}
