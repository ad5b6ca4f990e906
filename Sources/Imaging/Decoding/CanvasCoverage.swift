internal import Media

/// Whether anything of an animation's canvas, which is transparent at first, may ever show through.
struct CanvasCoverage {
  /// A frame's place on the canvas, and what it does to it.
  struct Frame {
    var left: Int
    var top: Int
    var size: PixelSize
    /// Whether none of its pixels is transparent.
    var isOpaque: Bool
    /// Whether transparent pixels replace what was there.
    var replacesPixels = false
    /// Whether its place is cleared after it.
    var clears = false

    fileprivate func covers(_ other: Frame) -> Bool {
      left <= other.left && top <= other.top
        && left + size.width >= other.left + other.size.width
        && top + size.height >= other.top + other.size.height
    }
  }

  private(set) var showsThrough = false
  private let canvas: PixelSize
  /// What the next frame must cover.
  private var cleared: Frame?

  init(_ canvas: PixelSize) {
    self.canvas = canvas
    cleared = Frame(left: 0, top: 0, size: canvas, isOpaque: true)
  }

  /// Takes in the next frame in the order of display.
  mutating func take(_ frame: Frame) {
    if let cleared, !(frame.isOpaque && frame.covers(cleared)) { showsThrough = true }
    if !frame.isOpaque, frame.replacesPixels { showsThrough = true }
    cleared = frame.clears ? clipped(frame) : nil
  }

  private func clipped(_ frame: Frame) -> Frame {
    var frame = frame
    frame.size.width = max(0, min(frame.size.width, canvas.width - frame.left))
    frame.size.height = max(0, min(frame.size.height, canvas.height - frame.top))
    return frame
  }
}
