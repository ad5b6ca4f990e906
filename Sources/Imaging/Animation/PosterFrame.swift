internal import Media

/// The frame of an animation that stands for it where only a still is shown.
enum PosterFrame {
  struct Choice {
    /// Counted from 0.
    var frame: Int
    /// Whether no time was left to look at all frames.
    var isEarly = false
  }

  /// Looks at all frames, or at those that can be looked at in time; nil where not even the first can
  /// be played.
  static func choose(
    _ format: MediaFormat, input: Int32, limits: DecodeLimits, deadline: Deadline
  ) -> Choice? {
    var (scores, isEarly) = ([Double](), false)
    do throws(DecodeFailure) {
      try withFramePlayer(for: format, input: input, limits: limits) {
        (player) throws(DecodeFailure) in
        while try player.next() != nil {
          isEarly = !scores.isEmpty && deadline.hasPassed
          if isEarly { return }
          scores.append(try FrameScore(player).value)
        }
      }
    } catch {
      if scores.isEmpty { return nil }
    }
    guard !scores.isEmpty else { return nil }
    return Choice(frame: FrameScore.mostTelling(scores), isEarly: isEarly)
  }

  /// Plays to a frame, counted from 0, and hands its rows on.
  static func deliver<Sink: RowSink & ~Copyable>(
    _ number: Int, _ format: MediaFormat, input: Int32, limits: DecodeLimits,
    into sink: inout Sink
  ) throws(DecodeFailure) {
    try withFramePlayer(for: format, input: input, limits: limits) {
      (player) throws(DecodeFailure) in
      var played = 0
      while played <= number {
        guard try player.next() != nil else {
          throw .truncated("the animation ends before its frame \(number)")
        }
        played += 1
      }
      try deliver(player, into: &sink)
    }
  }

  private static func deliver<Sink: RowSink & ~Copyable>(
    _ player: borrowing any FramePlayer & ~Copyable, into sink: inout Sink
  ) throws(DecodeFailure) {
    let size = player.size
    try sink.begin(
      RasterDescription(
        model: .rgb, hasAlpha: true, depth: .eight,
        planes: [RasterDescription.Plane(size: size, components: 4)]))
    for row in 0..<size.height {
      try player.withRow(row) { (pixels) throws(DecodeFailure) in
        try sink.consume(pixels, plane: 0)
      }
    }
  }
}
