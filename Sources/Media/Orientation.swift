/// How a stored picture is turned for display (Exif 2.32, tag 0x0112).
package enum Orientation: UInt8, Sendable, Hashable, CaseIterable {
  case up = 1
  case upMirrored = 2
  case down = 3
  case downMirrored = 4
  case leftMirrored = 5
  case right = 6
  case rightMirrored = 7
  case left = 8

  /// Whether rows become columns.
  package var swapsAxes: Bool { rawValue >= 5 }

  /// The displayed size of a picture stored with `size`.
  package func displayed(_ size: PixelSize) -> PixelSize {
    swapsAxes ? size.transposed : size
  }
}

extension Orientation {
  /// Whether the stored rows run from right to left as displayed (before axes are swapped).
  package var mirrorsColumns: Bool {
    switch self {
    case .upMirrored, .down, .rightMirrored, .left: true
    case .up, .downMirrored, .leftMirrored, .right: false
    }
  }

  /// Whether the stored rows run from the bottom up as displayed (before axes are swapped).
  package var mirrorsRows: Bool {
    switch self {
    case .down, .downMirrored, .right, .rightMirrored: true
    case .up, .upMirrored, .leftMirrored, .left: false
    }
  }
}
