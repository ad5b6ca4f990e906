/// Which frames of an animation are shown, and from when on: frames that come too soon after the one
/// before are dropped, and their time is given to it. Times are rounded as sums, so that no error adds
/// up.
struct AnimationTimeline {
  /// Browsers slow down what is faster than this.
  static let shortestMilliseconds = 20.0

  /// How long a frame is shown at least.
  let minimumMilliseconds: Double
  /// The last frame stays on the screen once a bounded number of loops has ended.
  let keepsLast: Bool
  /// Frames that the file declares.
  let frames: Int
  private var now = 0.0
  private var shownSince: Double?
  private var index = 0
  private var shown = 0

  init(minimumMilliseconds: Double, frames: Int, keepsLast: Bool) {
    self.minimumMilliseconds = max(Self.shortestMilliseconds, minimumMilliseconds)
    self.frames = frames
    self.keepsLast = keepsLast
  }

  /// From when on the next frame, which lasts so long, is shown, in hundredths of a second; nil where
  /// it is dropped.
  mutating func take(milliseconds: Double) -> Int? {
    defer {
      now += milliseconds
      index += 1
    }
    if let shownSince {
      let isLast = keepsLast && index == frames - 1
      let minimum = isLast ? Self.shortestMilliseconds : minimumMilliseconds
      guard now - shownSince >= minimum else { return nil }
    }
    shownSince = now
    shown += 1
    return Self.hundredths(now)
  }

  /// When the animation ends, in hundredths of a second.
  var end: Int { Self.hundredths(now) }

  /// The share of the declared frames that were taken.
  var fraction: Double { min(1, Double(index) / Double(max(1, frames))) }

  /// Milliseconds between frames that are shown, on average.
  var averageMilliseconds: Double { now / Double(max(1, shown)) }

  private static func hundredths(_ milliseconds: Double) -> Int {
    Int(min(milliseconds / 10, 1e9).rounded())
  }
}
