internal import Media

/// Makes what an animation becomes: bounded GIFs, and stills of its most telling frame.
struct AnimationRendering {
  private let request: RenderRequest
  private let header: PictureHeader
  private let input: Int32
  /// By when GIFs must be written; stills come after.
  private let time: RenderingTime
  private let posterTime: Duration
  /// Whether there is less time than usual.
  private let isPressed: Bool
  private let treatment: ColourTreatment
  /// Requests that a still must serve.
  private(set) var stills: [Int] = []
  /// Whether more time would have given more frames, larger ones or a better still.
  private(set) var wasHurried = false

  /// What an animation may take where nobody says.
  private static let usualTime = Duration.seconds(20)
  private static let longestPosterTime = Duration.seconds(5)
  /// What is left for stills.
  private static let share = 0.7
  private static let posterShare = 0.12
  private static let mostAttempts = 6
  /// Where no budget holds: the child's output is bounded.
  private static let mostBytes = 24_000_000
  /// Nothing is recognised on a smaller screen.
  private static let shortestSide = 96

  /// For an animation that is read by offset.
  init(_ request: RenderRequest, header: PictureHeader, input: Int32, warnings: inout [Problem]) {
    self.request = request
    self.header = header
    self.input = input
    let whole = request.time ?? Self.usualTime
    isPressed = whole < Self.usualTime
    time = RenderingTime(whole * Self.share)
    posterTime = min(whole * Self.posterShare, Self.longestPosterTime)
    treatment = ColourTreatment.choose(header, model: .rgb, warnings: &warnings)
  }

  /// Writes the GIFs that are wanted and possible; all other requests are in `stills` afterwards.
  mutating func writeAnimations(into file: inout OutputFile, reply: inout RenderReply) {
    let isAnimated = request.outputFormat == .auto || request.outputFormat == .gif
    var done: [(rendition: RenderRequest.Rendition, reply: RenderReply.Rendition?)] = []
    for (index, rendition) in request.renditions.enumerated() {
      guard isAnimated, let budget = rendition.animatedBudget else {
        stills.append(index)
        continue
      }
      let plan = plan(rendition)
      if let same = done.first(where: {
        self.plan($0.rendition) == plan && $0.rendition.animatedBudget == budget
      }) {
        take(same.reply, index, &reply)
      } else {
        let made = write(plan, budget: min(budget, Self.mostBytes), into: &file, reply: &reply)
        done.append((rendition, made))
        take(made, index, &reply)
      }
    }
  }

  /// The frame that stills show, counted from 0; nil where the format's decoder gives it: an
  /// animation's first frame comes from it as any still does, but not where a PNG's default image is
  /// none of the frames.
  mutating func choosePosterFrame() -> Int? {
    let format = header.facts.format
    guard
      let choice = PosterFrame.choose(
        format, input: input, limits: request.limits, deadline: .after(posterTime))
    else { return nil }
    if choice.isEarly, isPressed { wasHurried = true }
    return choice.frame == 0 && format != .png ? nil : choice.frame
  }

  /// What matters moves: animations are cut in the middle.
  private func plan(_ rendition: RenderRequest.Rendition) -> ScalingPlan {
    ScalingPlan(
      rendition, storedSize: header.rasterSize, orientation: header.rasterOrientation,
      crop: .centred(of: header.facts.displayedSize, shape: rendition.box))
  }

  private mutating func take(
    _ made: RenderReply.Rendition?, _ index: Int, _ reply: inout RenderReply
  ) {
    guard var made else { return stills.append(index) }
    made.requestIndex = index
    reply.renditions.append(made)
  }

  /// One GIF; nil where only a still is possible, which a problem explains.
  private mutating func write(
    _ plan: ScalingPlan, budget: Int, into file: inout OutputFile, reply: inout RenderReply
  ) -> RenderReply.Rendition? {
    do throws(DecodeFailure) {
      return try attempt(plan, budget: budget, into: &file, reply: &reply)
    } catch {
      // The still that is made next tells what is wrong with the file, if it meets it.
      if !error.isDamage { reply.problems.append(error.problem.asWarning) }
      return nil
    }
  }

  private mutating func attempt(
    _ whole: ScalingPlan, budget: Int, into file: inout OutputFile, reply: inout RenderReply
  ) throws(DecodeFailure) -> RenderReply.Rendition? {
    var plan = AnimationPlan()
    for _ in 0..<Self.mostAttempts {
      guard let scaler = scaler(whole, plan.scale) else { break }
      var attempt = AnimationAttempt(
        plan, scaler: scaler, header: header, byteBudget: budget, time: time)
      var end = AnimationAttempt.End.still
      let written = try file.appendGIF { (sink) throws(DecodeFailure) -> Int? in
        end = try withFramePlayer(
          for: header.facts.format, input: input, limits: request.limits
        ) { (player) throws(DecodeFailure) in
          try attempt.write(&player, into: sink)
        }
        if case .written(let frames) = end { return frames }
        return nil
      }
      if let damage = attempt.damage, written != nil { Self.tell(damage, &reply) }
      switch end {
      case .written:
        return written.map {
          RenderReply.Rendition(
            requestIndex: 0, format: .gif, size: scaler.size, frames: $0.result, bytes: $0.bytes)
        }
      case .still:
        if let damage = attempt.damage { Self.tell(damage, &reply) }
        return nil
      case .tooLarge(let outcome), .tooSlow(let outcome):
        if !outcome.isOfBytes { noteHurry() }
        plan = plan.reduced(after: outcome)
      }
      if time.hasPassed {
        noteHurry()
        break
      }
    }
    reply.problems.append(Self.refusal(budget))
    return nil
  }

  private mutating func noteHurry() {
    if isPressed { wasHurried = true }
  }

  /// A file that is cut was told to be already.
  private static func tell(_ damage: DecodeFailure, _ reply: inout RenderReply) {
    guard !reply.problems.contains(where: { $0.code == .corrupt }) else { return }
    reply.problems.append(damage.problem.asWarning)
  }

  private static func refusal(_ budget: Int) -> Problem {
    Problem(
      .decode, .byteBudget,
      "the animation does not come within \(budget) bytes in time: a still stands for it",
      severity: .warning)
  }

  /// Nil where the screen would be too small to be worth it.
  private func scaler(_ whole: ScalingPlan, _ scale: Double) -> ScreenScaler? {
    let size = PixelSize(
      width: max(1, Int((Double(whole.size.width) * scale).rounded())),
      height: max(1, Int((Double(whole.size.height) * scale).rounded())))
    guard scale == 1 || max(size.width, size.height) >= Self.shortestSide else { return nil }
    return ScreenScaler(
      ScalingPlan(part: whole.part, size: size, orientation: whole.orientation),
      canvas: header.rasterSize, treatment: treatment, flatten: request.flatten)
  }
}
