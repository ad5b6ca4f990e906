internal import Download
package import Media

extension AttachStage {
  /// The first picture that the candidates give, tried in their order. One whose download is slower
  /// than its host usually is does not keep the next from being tried beside it: the first that has a
  /// picture wins, and the others are given up. `more` has further candidates, which are looked for
  /// when these fail or are slow; `othersWait` says that they will be looked for later.
  package func run(
    _ candidates: [PictureCandidate], profiles: [RenditionProfile], deadline: Deadline,
    othersWait: Bool = false, more: CandidateSource? = nil
  ) async -> AttachedPicture {
    await withTaskGroup(of: CandidateRace.Event.self) { group in
      var race = CandidateRace(candidates, more: more, othersWait: othersWait)
      let outcome = RaceOutcome()
      var next = race.next(deadline: deadline)
      while true {
        if let step = next { start(step, in: &group, profiles, deadline, outcome) }
        guard race.isRunning, let event = await group.next() else { break }
        next = race.take(event, deadline: deadline)
        if race.isWon { break }
      }
      if race.isWon { outcome.decide() }
      group.cancelAll()
      return race.result
    }
  }

  private func start(
    _ step: CandidateRace.Step, in group: inout TaskGroup<CandidateRace.Event>,
    _ profiles: [RenditionProfile], _ deadline: Deadline, _ outcome: RaceOutcome
  ) {
    switch step {
    case .read(let source):
      group.addTask { .found(await source.candidates(deadline)) }
    case .attempt(let number, let candidate, let isLast):
      let download = isLast ? deadline.reservingForDecoding : deadline.share(Self.shareOfTime)
      group.addTask {
        .ended(
          number,
          await attempt(
            candidate, profiles: profiles, download: download, deadline: deadline, race: outcome))
      }
      guard !isLast, case .web(let address) = candidate.address else { return }
      group.addTask {
        let patience = fetch.paces.patience(with: address.host, of: deadline.remaining)
        guard (try? await outcome.sleep(for: patience)) != nil,
          await !fetch.hasStandIn(for: address, needs(of: profiles))
        else { return .quiet }
        return .slow(number)
      }
    }
  }
}

/// Where further candidates come from, once they are needed.
package struct CandidateSource: Sendable {
  /// Looks for them; given the job's deadline.
  let candidates: @Sendable (Deadline) async -> [PictureCandidate]
}

/// Who has started, who has ended, and who is next.
struct CandidateRace {
  enum Event: Sendable {
    case ended(Int, AttachedPicture)
    /// An attempt takes longer than its host usually does.
    case slow(Int)
    /// Nothing follows from what was waited for.
    case quiet
    case found([PictureCandidate])
  }

  enum Step: Sendable {
    /// `isLast` says that nothing is left to be tried after it.
    case attempt(Int, PictureCandidate, isLast: Bool)
    case read(CandidateSource)
  }

  private var candidates: [PictureCandidate]
  private var more: CandidateSource?
  private let othersWait: Bool
  private var started = 0
  private var running: Set<Int> = []
  private var isReading = false
  private var slow: Set<Int> = []
  private var ended: [Int: AttachedPicture] = [:]
  private var winner: Int?
  private var lateProblem: Problem?

  init(_ candidates: [PictureCandidate], more: CandidateSource?, othersWait: Bool) {
    self.candidates = candidates
    self.more = more
    self.othersWait = othersWait
  }

  var isRunning: Bool { !running.isEmpty || isReading }
  var isWon: Bool { winner != nil }

  /// What all have come to, in the candidates' order.
  var result: AttachedPicture {
    var result = AttachedPicture()
    // What comes after the one that is shown failed for nobody.
    for number in 0..<min(started, winner.map { $0 + 1 } ?? started) {
      if let attempt = ended[number] {
        result.append(attempt)
      } else if winner != nil {
        result.problems.append(candidates[number].tooSlow)
      }
    }
    if let lateProblem, winner == nil { result.problems.append(lateProblem) }
    return result
  }

  /// What to start now; nil where nothing is left or no time is.
  mutating func next(deadline: Deadline) -> Step? {
    guard !isReading else { return nil }
    guard started < candidates.count else {
      guard let source = more, !deadline.hasPassed else { return nil }
      more = nil
      isReading = true
      return .read(source)
    }
    let candidate = candidates[started]
    guard !deadline.hasPassed else {
      lateProblem = Problem(
        .download, .deadlineExceeded, "no time was left for \(candidate.shown)")
      return nil
    }
    defer { started += 1 }
    running.insert(started)
    let isLast = started == candidates.count - 1 && more == nil && !othersWait
    return .attempt(started, candidate, isLast: isLast)
  }

  /// Takes note of what has happened, and tells what to start because of it.
  mutating func take(_ event: Event, deadline: Deadline) -> Step? {
    switch event {
    case .quiet: return nil
    case .found(let found):
      isReading = false
      candidates += found.filter { new in !candidates.contains { $0.address == new.address } }
      return next(deadline: deadline)
    case .slow(let number):
      guard running.contains(number), slow.insert(number).inserted, number == started - 1 else {
        return nil
      }
      return next(deadline: deadline)
    case .ended(let number, let attempt):
      running.remove(number)
      ended[number] = attempt
      if let rung = attempt.picture?.attachment.rung {
        // An icon is no match for a picture that may still come.
        if !rung.isWorse(than: .alternate) || running.isEmpty { winner = number }
        return nil
      }
      if running.isEmpty, let icon = ended.first(where: { $0.value.picture != nil }) {
        winner = icon.key
        return nil
      }
      // One that was slow has started the next already.
      return slow.contains(number) && isRunning ? nil : next(deadline: deadline)
    }
  }
}

extension PictureCandidate {
  /// Why it is not the one that is shown, where it had not failed.
  fileprivate var tooSlow: Problem {
    var url: String?
    if case .web(let address) = address { url = address.redacted }
    return Problem(
      .download, .downloadTimeout, "slower than its host usually is: an alternate came first",
      severity: .warning, url: url)
  }
}
