internal import Media

/// A 3 × 3 matrix over colours, row by row.
struct Matrix3: Sendable, Hashable {
  var rows: [SIMD3<Double>]

  init(_ first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
    rows = [first, second, third]
  }

  init(columns: [SIMD3<Double>]) {
    rows = (0..<3).map { SIMD3(columns[0][$0], columns[1][$0], columns[2][$0]) }
  }

  static func * (matrix: Matrix3, vector: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(
      (matrix.rows[0] * vector).sum(), (matrix.rows[1] * vector).sum(),
      (matrix.rows[2] * vector).sum())
  }

  static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
    Matrix3(columns: right.columns.map { left * $0 })
  }

  var columns: [SIMD3<Double>] {
    (0..<3).map { SIMD3(rows[0][$0], rows[1][$0], rows[2][$0]) }
  }

  /// Nil where there is none.
  var inverse: Matrix3? {
    let (a, b, c) = (columns[0], columns[1], columns[2])
    let determinant = (a * Self.cross(b, c)).sum()
    guard abs(determinant) > 1e-12 else { return nil }
    return Matrix3(
      Self.cross(b, c) / determinant, Self.cross(c, a) / determinant,
      Self.cross(a, b) / determinant)
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}

extension Chromaticities {
  /// Linear RGB to CIE XYZ with the white's luminance 1; nil where the primaries span no space.
  var toXYZ: Matrix3? {
    let points = [red, green, blue]
    guard white.y > 0, points.allSatisfy({ $0.y > 0 }) else { return nil }
    let columns = points.map(Self.xyz)
    guard let inverse = Matrix3(columns: columns).inverse else { return nil }
    let amounts = inverse * Self.xyz(white)
    return Matrix3(columns: (0..<3).map { columns[$0] * amounts[$0] })
  }

  private static func xyz(_ point: Point) -> SIMD3<Double> {
    SIMD3(point.x / point.y, 1, (1 - point.x - point.y) / point.y)
  }
}
