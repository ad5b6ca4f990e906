/// Who waits for which decision of a `DecodeSchedule`.
struct DecodeTurns: Sendable {
  typealias Waiter = CheckedContinuation<Bool, Never>

  var schedule: DecodeSchedule
  private var lastTicket = 0
  private var waiters: [Int: Waiter] = [:]
  /// Answers that came before their waiter.
  private var answers: [Int: Bool] = [:]
  /// Decodes whose pictures are still to be fetched.
  private var booked: Set<Int> = []
  private var holders: [Int: DecodeSlots.Holder] = [:]
  /// Whether somebody looks from time to time.
  private var isLookedAt = false

  init(width: Int) {
    schedule = DecodeSchedule(width: width)
  }

  mutating func makeTicket() -> Int {
    lastTicket += 1
    return lastTicket
  }

  /// The answer, once; nil while there is none.
  mutating func takeAnswer(_ ticket: Int) -> Bool? { answers.removeValue(forKey: ticket) }

  /// The answer, or the waiter's place until there is one.
  mutating func answer(_ ticket: Int, to waiter: Waiter) -> Bool? {
    if let answer = takeAnswer(ticket) { return answer }
    waiters[ticket] = waiter
    return nil
  }

  /// Notes that a decode waits for its picture, which `holder` holds back.
  mutating func book(_ ticket: Int, _ holder: DecodeSlots.Holder?) {
    booked.insert(ticket)
    holders[ticket] = holder
  }

  mutating func forget(_ ticket: Int) {
    booked.remove(ticket)
    holders[ticket] = nil
  }

  /// Whether somebody must begin to look.
  mutating func beginsLooking() -> Bool {
    guard !isLookedAt, !holders.isEmpty else { return false }
    isLookedAt = true
    return true
  }

  /// Whether nothing is left to look for.
  mutating func endsLooking() -> Bool {
    isLookedAt = !holders.isEmpty
    return !isLookedAt
  }

  /// Notes the decisions, and gives what to tell.
  mutating func note(_ decisions: DecodeSchedule.Decisions) -> [@Sendable () -> Void] {
    var told: [@Sendable () -> Void] = []
    for ticket in decisions.started + decisions.due { note(ticket, true, in: &told) }
    for ticket in decisions.refused { note(ticket, false, in: &told) }
    return told
  }

  private mutating func note(
    _ ticket: Int, _ answer: Bool, in told: inout [@Sendable () -> Void]
  ) {
    if booked.contains(ticket) {
      guard let holder = holders.removeValue(forKey: ticket) else { return }
      told.append { holder(answer) }
    } else if let waiter = waiters.removeValue(forKey: ticket) {
      told.append { waiter.resume(returning: answer) }
    } else {
      answers[ticket] = answer
    }
  }
}
