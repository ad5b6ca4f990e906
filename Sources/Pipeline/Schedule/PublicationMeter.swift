internal import Synchronization

/// Follows what publishing costs, from each publication's time and how many ran beside it.
package final class PublicationMeter: Sendable {
  private struct State {
    var first: MovingQuantile
    var each: MovingQuantile
    var running = 0
  }

  /// A publication that has begun.
  struct Run {
    fileprivate let started: ContinuousClock.Instant
    fileprivate let beside: Int
  }

  private let state: Mutex<State>

  package init(_ cost: PublicationCost = .unknown) {
    state = Mutex(
      State(
        first: MovingQuantile(cost.first.inMilliseconds),
        each: MovingQuantile(cost.each.inMilliseconds)))
  }

  package var cost: PublicationCost {
    state.withLock { state in
      PublicationCost(
        first: .init(inMilliseconds: state.first.value),
        each: .init(inMilliseconds: state.each.value))
    }
  }

  func begin() -> Run {
    state.withLock { state in
      state.running += 1
      return Run(started: .now, beside: state.running)
    }
  }

  func end(_ run: Run) {
    let time = run.started.duration(to: .now).inMilliseconds
    state.withLock { state in
      note(time, beside: Double(run.beside + state.running) / 2, in: &state)
      state.running -= 1
    }
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
