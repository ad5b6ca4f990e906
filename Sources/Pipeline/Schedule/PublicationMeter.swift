internal import Synchronization

/// Follows what publishing costs, from each publication's time and how many ran beside it, and how
/// late things come that were due.
package final class PublicationMeter: Sendable {
  package typealias Instant = ContinuousClock.Instant

  private struct State {
    var first: MovingQuantile
    var each: MovingQuantile
    var delay = RecentWorst()
    var running = 0
  }

  /// A publication that has begun.
  package struct Run: Sendable {
    fileprivate let started: Instant
    fileprivate let beside: Int
  }

  private let state: Mutex<State>

  package init(_ cost: PublicationCost = .unknown) {
    state = Mutex(
      State(
        first: MovingQuantile(cost.first.inMilliseconds),
        each: MovingQuantile(cost.each.inMilliseconds)))
  }

  package var cost: PublicationCost { cost(now: .now) }

  package func cost(now: Instant) -> PublicationCost {
    state.withLock { state in
      PublicationCost(
        first: .init(inMilliseconds: state.first.value),
        each: .init(inMilliseconds: state.each.value), delay: state.delay.value(now: now))
    }
  }

  /// Begins one, when it has its thread: what waits for others of its kind is no delay, else one delay
  /// would bring the next about.
  package func begin(now: Instant = .now) -> Run {
    state.withLock { state in
      state.running += 1
      return Run(started: now, beside: state.running)
    }
  }

  package func end(_ run: Run, now: Instant = .now) {
    let time = run.started.duration(to: now).inMilliseconds
    state.withLock { state in
      let beside = Double(run.beside + state.running) / 2
      let foreseen = state.first.value + state.each.value * beside
      let excess = Duration(inMilliseconds: max(0, time - foreseen))
      state.delay.note(excess, now: now)
      note(time, beside: beside, in: &state)
      state.running -= 1
    }
  }

  /// Something that was to happen at an instant happened so much later.
  package func note(delay: Duration, now: Instant = .now) {
    state.withLock { $0.delay.note(delay, now: now) }
  }

  /// A lone publication tells of the first one's cost, many at once tell of each one's share.
  private func note(_ time: Double, beside: Double, in state: inout State) {
    if beside < 3 {
      state.first.note(time - state.each.value * beside)
    } else if beside >= 6 {
      state.each.note((time - state.first.value) / beside)
    }
  }
}
