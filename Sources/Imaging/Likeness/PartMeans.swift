internal import Media

/// The means of the parts of a raster, one band of parts after the other as its rows come.
///
/// Means commute with what is affine: colours may be converted afterwards, for parts in place of
/// pixels.
package struct PartMeans: Sendable {
  /// The means of one part, component by component; what the raster has not is 0.
  package typealias Components = SIMD4<Double>

  fileprivate struct Plane {
    var size: PixelSize
    var components: Int
    /// The first of its components among all.
    var first: Int
    var row = 0
    /// Sums down the columns of rows that lie wholly in the band, and how many.
    var columns: [UInt32]
    var summed = 0
    var bands: [[Components]] = []
    var band: [Components]
  }

  /// Columns and rows of parts.
  private let columns: Int
  private let rows: Int
  private var planes: [Plane] = []

  /// As many 16-bit samples as their sum has room for.
  private static let mostSummed = 65_000

  /// `columns` × `rows` parts, both positive, of a raster with four components at most.
  package init(_ raster: RasterDescription, columns: Int, rows: Int) throws(DecodeFailure) {
    self.columns = columns
    self.rows = rows
    var first = 0
    for plane in raster.planes {
      planes.append(
        Plane(
          size: plane.size, components: plane.components, first: first,
          columns: [UInt32](repeating: 0, count: plane.size.width * plane.components),
          band: [Components](repeating: .zero, count: columns)))
      first += plane.components
    }
    guard (1...4).contains(first) else { throw .unsupported("a raster of \(first) components") }
  }

  /// The next band, once all of its rows have come in all planes.
  package mutating func takeBand() -> [Components]? {
    guard planes.allSatisfy({ !$0.bands.isEmpty }) else { return nil }
    var band = [Components](repeating: .zero, count: columns)
    for index in planes.indices {
      for (part, means) in planes[index].bands.removeFirst().enumerated() { band[part] += means }
    }
    return band
  }

  /// Takes in the next row of a plane.
  package mutating func add(_ row: Span<UInt8>, plane: Int) { take(row, plane) }

  /// The same of 16-bit samples.
  package mutating func add(_ row: Span<UInt16>, plane: Int) { take(row, plane) }

  private mutating func take<Sample: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ row: Span<Sample>, _ index: Int
  ) {
    let height = planes[index].size.height
    guard planes[index].row < height, row.count == planes[index].columns.count else { return }
    // In bands, each of `height` units.
    var start = planes[index].row * rows
    let end = start + rows
    planes[index].row += 1
    if start / height == (end - 1) / height, planes[index].summed < Self.mostSummed {
      planes[index].sum(row)
      if end % height == 0 { finishBand(index) }
      return
    }
    while start < end {
      let next = min(end, (start / height + 1) * height)
      planes[index].add(row, weight: Double(next - start) / Double(height), parts: columns)
      if next % height == 0 { finishBand(index) }
      start = next
    }
  }

  private mutating func finishBand(_ index: Int) {
    planes[index].flush(rows, parts: columns)
    planes[index].bands.append(planes[index].band)
    planes[index].band = [Components](repeating: .zero, count: columns)
  }
}

extension PartMeans.Plane {
  mutating func sum<Sample: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ row: Span<Sample>
  ) {
    var target = columns.mutableSpan
    for index in row.indices {
      // Bounds are the caller's: one check for the row, so that the compiler makes vectors of it.
      unsafe target[unchecked: index] &+= UInt32(truncatingIfNeeded: row[unchecked: index])
    }
    summed += 1
  }

  /// Brings what was summed to the band's parts.
  mutating func flush(_ rows: Int, parts: Int) {
    guard summed > 0 else { return }
    let sums = columns
    add(sums.span, weight: Double(rows) / Double(size.height), parts: parts)
    columns = [UInt32](repeating: 0, count: columns.count)
    summed = 0
  }

  /// Adds a row, of which `weight` is the share of the band's height.
  mutating func add<Sample: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ row: Span<Sample>, weight: Double, parts: Int
  ) {
    let factor = weight / Double(size.width)
    for part in 0..<parts {
      // In samples, each of `parts` units.
      let (start, end) = (part * size.width, (part + 1) * size.width)
      var sums = PartMeans.Components.zero
      for component in 0..<components {
        let sum = Self.sum(row, component, of: components, start..<end, unit: parts)
        sums[first + component] = sum
      }
      band[part] += sums * factor
    }
  }

  private static func sum<Sample: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ row: Span<Sample>, _ component: Int, of components: Int, _ range: Range<Int>, unit: Int
  ) -> Double {
    let (left, right) = (range.lowerBound / unit, (range.upperBound - 1) / unit)
    let first = Double(row[left * components + component])
    guard left < right else { return first * Double(range.count) }
    let last = Double(row[right * components + component])
    var between: UInt64 = 0
    for column in left + 1..<right { between &+= UInt64(row[column * components + component]) }
    return first * Double((left + 1) * unit - range.lowerBound) + Double(between) * Double(unit)
      + last * Double(range.upperBound - right * unit)
  }
}
