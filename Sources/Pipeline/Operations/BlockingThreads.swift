internal import Dispatch
internal import Synchronization

/// Threads that may block, as many as there are calls up to a bound: what does not block shares the
/// processors, and where many do so all come late.
///
/// Each gets a serial queue, for which libdispatch has a thread at once. The queues of a concurrent one
/// share the threads that tasks run on, of which there are as many as processors: there two calls that
/// block stop every task of the process.
package final class BlockingThreads: Sendable {
  package typealias Call = @Sendable () -> Void
  package typealias Turn = ContinuousClock.Instant

  private struct State {
    var running = 0
    /// The latest turn first.
    var waiting: [(turn: Turn, call: Call)] = []
  }

  private let label: String
  private let most: Int
  private let state = Mutex(State())

  package init(label: String, most: Int) {
    self.label = label
    self.most = max(1, most)
  }

  /// Runs a call as soon as there is a thread, before those of later turns.
  package func run(turn: Turn = .now, _ call: @escaping Call) {
    let isRoom = state.withLock { state in
      guard state.running < most else {
        let place = state.waiting.lastIndex { $0.turn > turn }.map { $0 + 1 } ?? 0
        state.waiting.insert((turn, call), at: place)
        return false
      }
      state.running += 1
      return true
    }
    guard isRoom else { return }
    DispatchQueue(label: label).async { [self] in
      var next: Call? = call
      while let call = next {
        call()
        next = takeNext()
      }
    }
  }

  /// The call whose turn is first; nil where none waits, and then the thread is given back.
  private func takeNext() -> Call? {
    state.withLock { state in
      guard let next = state.waiting.popLast() else {
        state.running -= 1
        return nil
      }
      return next.call
    }
  }
}
