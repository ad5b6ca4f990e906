internal import Media

/// With how much of an animation a byte budget is tried: all of it at first, then fewer frames, then
/// fewer colours, then fewer pixels (contract §5).
struct AnimationPlan: Sendable, Hashable {
  /// What an attempt showed.
  struct Outcome: Sendable, Hashable {
    /// What is allowed, as a share of what the attempt would take, of bytes or of time.
    var share: Double
    /// Of bytes, which a palette helps, or of time.
    var isOfBytes: Bool
    /// Milliseconds between frames, on average over the whole animation.
    var frameMilliseconds: Double
  }

  /// How long a frame is shown at least.
  var minimumMilliseconds = AnimationTimeline.shortestMilliseconds
  var choice = PaletteChoice()
  /// Of the sides.
  var scale = 1.0

  /// Fewer frames a second look like a slide show: the palette is next.
  private static let slowestMilliseconds = 120.0
  private static let fewestColours = 64
  /// Bytes fall more slowly than frames: the more time between them, the more differs.
  private static let frameExponent = 0.85
  /// What the palette and dithering bring, by experience.
  private static let paletteGain = 0.6
  private static let margin = 0.92

  /// What is tried next.
  func reduced(after outcome: Outcome) -> AnimationPlan {
    var plan = self
    var share = outcome.share * Self.margin
    if outcome.frameMilliseconds < Self.slowestMilliseconds {
      let wanted = outcome.frameMilliseconds / max(0.01, share)
      plan.minimumMilliseconds = min(Self.slowestMilliseconds, wanted)
      let kept = min(1, outcome.frameMilliseconds / plan.minimumMilliseconds)
      share /= Self.power(kept, Self.frameExponent)
    }
    if share < 1, outcome.isOfBytes, choice.colours > Self.fewestColours {
      plan.choice = PaletteChoice(colours: Self.fewestColours, dithering: 0.5, tolerance: 9)
      share /= Self.paletteGain
    }
    if share < 1 { plan.scale *= max(0.2, min(0.95, share.squareRoot())) }
    return plan
  }

  /// base to a power between 0.5 and 1, without the mathematical library: a mean of base and its root.
  private static func power(_ base: Double, _ exponent: Double) -> Double {
    let weight = (exponent - 0.5) * 2
    return base * weight + base.squareRoot() * (1 - weight)
  }
}
