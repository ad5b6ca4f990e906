internal import Media

/// One attempt to write an animation within its bytes and its time.
struct AnimationAttempt {
  enum End {
    case written(frames: Int)
    /// Only one frame is left: a still's business.
    case still
    case tooLarge(AnimationPlan.Outcome)
    case tooSlow(AnimationPlan.Outcome)
  }

  let plan: AnimationPlan
  let scaler: ScreenScaler
  let header: PictureHeader
  let byteBudget: Int
  private let pace: RenderingPace
  /// What ended the animation early, once a frame was shown.
  private(set) var damage: DecodeFailure?

  private var firstFrameBytes = 0

  init(
    _ plan: AnimationPlan, scaler: ScreenScaler, header: PictureHeader, byteBudget: Int,
    time: RenderingTime
  ) {
    self.plan = plan
    self.scaler = scaler
    self.header = header
    self.byteBudget = byteBudget
    pace = RenderingPace(time)
  }

  /// Plays the animation into the sink, as far as it fits.
  mutating func write(
    _ player: inout any FramePlayer & ~Copyable, into sink: GIFSink
  ) throws(DecodeFailure) -> End {
    var timeline = AnimationTimeline(
      minimumMilliseconds: plan.minimumMilliseconds, frames: header.facts.frames,
      keepsLast: header.loopCount != 0)
    var writer = try GIFAnimationWriter(
      sink, size: scaler.size, repetitions: repetitions, choice: plan.choice)
    var taken = 0
    while let milliseconds = try next(&player, isFirst: taken == 0) {
      taken += 1
      guard let time = timeline.take(milliseconds: milliseconds) else { continue }
      try writer.add(try scaler.screen(of: player), at: time)
      if let end = judge(sink, timeline, writer.frames) { return end }
    }
    guard taken > 1 else { return .still }
    let frames = try writer.finish(at: timeline.end)
    return sink.count > byteBudget
      ? .tooLarge(outcome(bytes: sink.count, timeline)) : .written(frames: frames)
  }

  /// A file counts repetitions, a header plays; once is what a file without a count means.
  private var repetitions: Int? {
    guard let plays = header.loopCount, plays != 1 else { return nil }
    return plays == 0 ? 0 : plays - 1
  }

  /// What comes before the damage can be shown, as browsers do.
  private mutating func next(
    _ player: inout any FramePlayer & ~Copyable, isFirst: Bool
  ) throws(DecodeFailure) -> Double? {
    do throws(DecodeFailure) {
      return try player.next()
    } catch {
      guard !isFirst, error.isDamage else { throw error }
      damage = error
      return nil
    }
  }

  private mutating func judge(
    _ sink: GIFSink, _ timeline: AnimationTimeline, _ frames: Int
  ) -> End? {
    if frames == 1 { firstFrameBytes = sink.count }
    if sink.count > byteBudget {
      return .tooLarge(outcome(bytes: projected(sink, timeline), timeline))
    }
    guard let share = pace.share(of: timeline.fraction) else { return nil }
    return .tooSlow(
      AnimationPlan.Outcome(
        share: share, isOfBytes: false, frameMilliseconds: timeline.averageMilliseconds))
  }

  /// What all frames would take, when those to come are like those after the first.
  private func projected(_ sink: GIFSink, _ timeline: AnimationTimeline) -> Int {
    let first = 1 / Double(max(1, header.facts.frames))
    let since = max(first, timeline.fraction - 2 * first)
    let rest = Double(sink.count - firstFrameBytes) * max(1, (1 - first) / since)
    return firstFrameBytes + Int(min(1e12, rest))
  }

  private func outcome(bytes: Int, _ timeline: AnimationTimeline) -> AnimationPlan.Outcome {
    AnimationPlan.Outcome(
      share: Double(byteBudget) / Double(max(1, bytes)), isOfBytes: true,
      frameMilliseconds: timeline.averageMilliseconds)
  }
}

extension DecodeFailure {
  /// Whether the bytes are at fault, and what came before can be shown.
  var isDamage: Bool {
    switch self {
    case .corrupt, .truncated: true
    default: false
    }
  }
}
