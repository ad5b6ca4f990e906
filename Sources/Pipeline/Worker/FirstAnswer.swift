internal import Synchronization

/// The first of several answers; the others count for nothing.
package final class FirstAnswer<Value: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Value, Never>)
    case answered(Value)
    case taken
  }

  private let state = Mutex(State.open)

  package init() {}

  /// Waits for an answer. To be called once.
  package func value() async -> Value {
    await withCheckedContinuation { continuation in
      let answer = state.withLock { state -> Value? in
        guard case .answered(let value) = state else {
          state = .awaited(continuation)
          return nil
        }
        state = .taken
        return value
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }

  package func answer(_ value: Value) {
    let waiter = state.withLock { state -> CheckedContinuation<Value, Never>? in
      switch state {
      case .open:
        state = .answered(value)
        return nil
      case .awaited(let continuation):
        state = .taken
        return continuation
      case .answered, .taken: return nil
      }
    }
    waiter?.resume(returning: value)
  }

  /// What `work` gives, or `late` where that has not come by the limit: then the work is left to end by
  /// itself. It is cancelled with the caller's task, and of lower priority where the caller's is high:
  /// then it cannot take the threads that tell when the limit is there.
  package static func by(
    _ limit: MovingLimit, else late: @autoclosure @escaping @Sendable () -> Value,
    _ work: @escaping @Sendable () async -> Value
  ) async -> Value {
    let first = FirstAnswer()
    let timer = Task {
      // Cancelled where the work's answer was there before.
      guard await limit.comes() else { return }
      first.answer(late())
    }
    let task = Task(priority: .medium) {
      first.answer(await work())
      timer.cancel()
    }
    return await withTaskCancellationHandler {
      await first.value()
    } onCancel: {
      task.cancel()
    }
  }
}
