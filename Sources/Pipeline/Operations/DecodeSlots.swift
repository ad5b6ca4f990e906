package import Media
internal import Synchronization

/// The right to decode, given by a `DecodeSchedule`.
package final class DecodeSlots: Sendable {
  private typealias Waiter = CheckedContinuation<Bool, Never>

  private struct State {
    var schedule: DecodeSchedule
    var lastTicket = 0
    /// Who waits for an answer.
    var waiters: [Int: Waiter] = [:]
    /// Answers that came before their waiter.
    var answers: [Int: Bool] = [:]

    /// Notes the decisions, and gives whom to tell.
    mutating func note(_ decisions: DecodeSchedule.Decisions) -> [(Waiter, Bool)] {
      var told: [(Waiter, Bool)] = []
      let all = decisions.started.map { ($0, true) } + decisions.refused.map { ($0, false) }
      for (ticket, answer) in all {
        if let waiter = waiters.removeValue(forKey: ticket) {
          told.append((waiter, answer))
        } else {
          answers[ticket] = answer
        }
      }
      return told
    }
  }

  private let state: Mutex<State>

  package init(count: Int) {
    state = Mutex(State(schedule: DecodeSchedule(width: count)))
  }

  /// Runs `body` while holding a slot; nil where it is not begun, since it would not end before the
  /// deadline, or others would not.
  package func run<Value>(
    by deadline: Deadline, _ estimate: DecodeEstimate = .none, isStandIn: Bool = false,
    _ body: () async -> Value
  ) async -> Value? {
    let job = state.withLock { state in
      state.lastTicket += 1
      return DecodeSchedule.Job(
        ticket: state.lastTicket, deadline: deadline.instant, estimate: estimate,
        isStandIn: isStandIn)
    }
    guard await enter(job) else { return nil }
    defer { change { $0.end(job.ticket, now: .now) } }
    return await body()
  }

  /// Whether a decode would be refused that came now.
  func wouldRefuse(_ estimate: DecodeEstimate, by deadline: Deadline) -> Bool {
    state.withLock { state in
      let job = DecodeSchedule.Job(ticket: -1, deadline: deadline.instant, estimate: estimate)
      return state.schedule.wouldRefuse(job, now: .now)
    }
  }

  private func enter(_ job: DecodeSchedule.Job) async -> Bool {
    change { $0.arrive(job, now: .now) }
    if let answer = state.withLock({ $0.answers.removeValue(forKey: job.ticket) }) { return answer }
    return await withTaskGroup(of: Bool?.self) { group in
      group.addTask { await self.answer(to: job.ticket) }
      group.addTask {
        try? await Task.sleep(until: DecodeSchedule.latestStart(of: job), clock: .continuous)
        self.giveUp(job.ticket)
        return nil
      }
      var hasEntered = false
      while let result = await group.next() {
        guard let result else { continue }
        hasEntered = result
        group.cancelAll()
      }
      return hasEntered
    }
  }

  private func answer(to ticket: Int) async -> Bool {
    await withCheckedContinuation { continuation in
      let answer = state.withLock { state -> Bool? in
        if let answer = state.answers.removeValue(forKey: ticket) { return answer }
        state.waiters[ticket] = continuation
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }

  /// Its time is over, or its task was cancelled.
  private func giveUp(_ ticket: Int) {
    change { $0.giveUp(ticket, now: .now) }
  }

  private func change(_ body: (inout DecodeSchedule) -> DecodeSchedule.Decisions) {
    let told = state.withLock { state in state.note(body(&state.schedule)) }
    for (waiter, answer) in told { waiter.resume(returning: answer) }
  }
}
