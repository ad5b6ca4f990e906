package import Media
internal import Synchronization

/// The right to decode: as many at once as there are cores, the earliest deadline first.
package final class DecodeSlots: Sendable {
  private struct Waiter {
    let deadline: Deadline
    let ticket: Int
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var free: Int
    var lastTicket = 0
    var waiting: [Waiter] = []
    /// Tickets whose time was over before they came to wait.
    var late: Set<Int> = []
  }

  private let state: Mutex<State>

  package init(count: Int) {
    state = Mutex(State(free: max(1, count)))
  }

  /// Runs `body` while holding a slot; nil when none came free before the deadline.
  package func run<Value>(by deadline: Deadline, _ body: () async -> Value) async -> Value? {
    guard await enter(by: deadline) else { return nil }
    defer { leave() }
    return await body()
  }

  private func enter(by deadline: Deadline) async -> Bool {
    let ticket = state.withLock { state -> Int? in
      if state.free > 0 {
        state.free -= 1
        return nil
      }
      state.lastTicket += 1
      return state.lastTicket
    }
    guard let ticket else { return true }
    return await withTaskGroup(of: Bool?.self) { group in
      group.addTask { await self.wait(ticket, deadline) }
      group.addTask {
        try? await Task.sleep(for: deadline.remaining)
        self.giveUp(ticket)
        return nil
      }
      var hasEntered = false
      while let result = await group.next() {
        guard let result else { continue }
        hasEntered = result
        group.cancelAll()
      }
      _ = state.withLock { $0.late.remove(ticket) }
      return hasEntered
    }
  }

  private func wait(_ ticket: Int, _ deadline: Deadline) async -> Bool {
    await withCheckedContinuation { continuation in
      let answer = state.withLock { state -> Bool? in
        if state.late.contains(ticket) { return false }
        if state.free > 0 {
          state.free -= 1
          return true
        }
        state.waiting.append(
          Waiter(deadline: deadline, ticket: ticket, continuation: continuation))
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }

  private func giveUp(_ ticket: Int) {
    let waiter = state.withLock { state -> Waiter? in
      guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else {
        state.late.insert(ticket)
        return nil
      }
      return state.waiting.remove(at: index)
    }
    waiter?.continuation.resume(returning: false)
  }

  private func leave() {
    let next = state.withLock { state -> Waiter? in
      let indices = state.waiting.indices
      let waiting = state.waiting
      guard
        let index = indices.min(by: {
          (waiting[$0].deadline, waiting[$0].ticket) < (waiting[$1].deadline, waiting[$1].ticket)
        })
      else {
        state.free += 1
        return nil
      }
      return state.waiting.remove(at: index)
    }
    next?.continuation.resume(returning: true)
  }
}
