internal import Media

/// What must be drawn so that a screen shows the next frame.
struct FrameDifference {
  /// Holds all pixels that must become transparent again, which takes the disposal of a frame.
  private(set) var cleared: PixelRectangle?
  /// Holds all pixels that must be drawn.
  private(set) var drawn: PixelRectangle?

  /// Compares what is shown with what is wanted, both rows of opaque pixels and zeros.
  init(shown: [UInt32], wanted: [UInt32], size: PixelSize, tolerance: Int) {
    var (cleared, drawn) = (Extent(), Extent())
    unsafe shown.withUnsafeBufferPointer { shown in
      unsafe wanted.withUnsafeBufferPointer { wanted in
        for row in 0..<size.height {
          for x in 0..<size.width {
            let index = row * size.width + x
            let (old, new) = unsafe (shown[index], wanted[index])
            guard old != new else { continue }
            if new == 0 {
              cleared.add(x, row)
            } else if Self.differ(old, new, tolerance) {
              drawn.add(x, row)
            }
          }
        }
      }
    }
    self.cleared = cleared.rectangle
    self.drawn = drawn.rectangle
  }

  /// Whether a pixel that is wanted, and not transparent, must be drawn.
  @inline(__always)
  static func differ(_ shown: UInt32, _ wanted: UInt32, _ tolerance: Int) -> Bool {
    guard shown != wanted else { return false }
    guard tolerance > 0, shown != 0 else { return true }
    var distance = 0
    for shift in [UInt32(0), 8, 16] {
      distance += abs(Int(shown >> shift & 255) - Int(wanted >> shift & 255))
    }
    return distance > tolerance
  }
}

/// Grows around the pixels that are added.
private struct Extent {
  private var left = Int.max
  private var right = -1
  private var top = -1
  private var bottom = -1

  /// Rows come from top to bottom.
  mutating func add(_ x: Int, _ row: Int) {
    left = min(left, x)
    right = max(right, x)
    if top < 0 { top = row }
    bottom = row
  }

  var rectangle: PixelRectangle? {
    guard right >= 0 else { return nil }
    return PixelRectangle(
      left: left, top: top, width: right - left + 1, height: bottom - top + 1)
  }
}
