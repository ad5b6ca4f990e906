package import Media
internal import Synchronization

/// The right to decode, given by a `DecodeSchedule`.
package final class DecodeSlots: Sendable {
  /// Is told, once, whether a picture is to be fetched now; else its decode was given up.
  package typealias Holder = @Sendable (_ isDue: Bool) -> Void

  /// What becomes of a decode whose picture is still to be fetched.
  package enum Booking: Sendable, Hashable {
    case refused
    /// The picture is to be fetched now.
    case due(ticket: Int)
    /// The holder will be told.
    case held(ticket: Int)
  }

  private let turns: Mutex<DecodeTurns>

  /// How often is looked for pictures that are to be fetched, since time alone makes them due.
  private static let lookInterval = Duration.milliseconds(20)

  package init(count: Int) {
    turns = Mutex(DecodeTurns(width: count))
  }

  /// Runs `body` while holding a slot; nil where it is not begun, since it would not end before the
  /// deadline, or others would not.
  package func run<Value>(
    by deadline: Deadline, _ estimate: DecodeEstimate = .none,
    role: DecodeSchedule.Role = .picture,
    _ body: () async -> Value
  ) async -> Value? {
    let job = DecodeSchedule.Job(
      ticket: turns.withLock { $0.makeTicket() }, deadline: deadline.instant, estimate: estimate,
      role: role)
    guard await enter(job) else { return nil }
    defer { change { $0.end(job.ticket, now: .now) } }
    return await body()
  }

  /// Reserves the time for a decode whose picture is fetched when `arrival` says so. What was reserved
  /// must be withdrawn once the picture is there, or will never be.
  package func book(
    _ estimate: DecodeEstimate, by deadline: Deadline, _ arrival: DecodeSchedule.Arrival,
    holder: @escaping Holder
  ) -> Booking {
    let (booking, told, mustLook) = turns.withLock { turns in
      let ticket = turns.makeTicket()
      let job = DecodeSchedule.Job(
        ticket: ticket, deadline: deadline.instant, estimate: estimate, arrival: arrival)
      var decisions = turns.schedule.arrive(job, now: .now)
      let booking: Booking =
        if decisions.refused.contains(ticket) {
          .refused
        } else if decisions.due.contains(ticket) {
          .due(ticket: ticket)
        } else {
          .held(ticket: ticket)
        }
      decisions.refused.removeAll { $0 == ticket }
      decisions.due.removeAll { $0 == ticket }
      switch booking {
      case .refused: break
      case .due: turns.book(ticket, nil)
      case .held: turns.book(ticket, holder)
      }
      return (booking, turns.note(decisions), turns.beginsLooking())
    }
    for tell in told { tell() }
    if mustLook { startLooking() }
    return booking
  }

  /// Frees what was booked.
  package func withdraw(_ ticket: Int) {
    turns.withLock { $0.forget(ticket) }
    change { $0.withdraw(ticket, now: .now) }
  }

  /// Whether a decode would be refused that came now.
  func wouldRefuse(_ estimate: DecodeEstimate, by deadline: Deadline) -> Bool {
    turns.withLock { turns in
      let job = DecodeSchedule.Job(ticket: -1, deadline: deadline.instant, estimate: estimate)
      return turns.schedule.wouldRefuse(job, now: .now)
    }
  }

  private func enter(_ job: DecodeSchedule.Job) async -> Bool {
    change { $0.arrive(job, now: .now) }
    if let answer = turns.withLock({ $0.takeAnswer(job.ticket) }) { return answer }
    let urgency = DecodeUrgency.current
    urgency?.attach { [self] deadline in
      change { $0.hurry(job.ticket, by: deadline.instant, now: .now) }
    }
    defer { urgency?.detach() }
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
      let answer = turns.withLock { $0.answer(ticket, to: continuation) }
      if let answer { continuation.resume(returning: answer) }
    }
  }

  /// Its time is over, or its task was cancelled.
  private func giveUp(_ ticket: Int) {
    change { $0.giveUp(ticket, now: .now) }
  }

  private func change(_ body: (inout DecodeSchedule) -> DecodeSchedule.Decisions) {
    let told = turns.withLock { turns in turns.note(body(&turns.schedule)) }
    for tell in told { tell() }
  }

  private func startLooking() {
    Task { [self] in
      repeat {
        try? await Task.sleep(for: Self.lookInterval)
        change { $0.look(now: .now) }
      } while !turns.withLock { $0.endsLooking() }
    }
  }
}
