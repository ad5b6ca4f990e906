internal import Media

/// The flights that tasks of this process lead or wait to lead, and who waits for them.
struct Departures {
  typealias Waiter = CheckedContinuation<End, Never>

  /// How waiting ended.
  enum End: Sendable {
    case ended
    /// The flight had ended before the wait began.
    case gone
    case tooLate
  }

  private var waiting: [String: [UInt64: Waiter]] = [:]
  /// By when those who wait, or have waited, want a flight to have ended.
  private var deadlines: [String: Deadline] = [:]
  private var lastTicket: UInt64 = 0
  /// Tickets whose time was over before they came to wait.
  private var abandoned: Set<UInt64> = []

  /// Whether the caller is the one to wait for the lock.
  mutating func claim(_ name: String) -> Bool {
    guard waiting[name] == nil else { return false }
    waiting[name] = [:]
    return true
  }

  /// The earliest that somebody waits for in this process; nil where nobody has.
  func earliest(_ name: String) -> Deadline? { deadlines[name] }

  mutating func note(_ name: String, _ deadline: Deadline) {
    guard waiting[name] != nil else { return }
    deadlines[name] = min(deadline, deadlines[name] ?? deadline)
  }

  mutating func nextTicket() -> UInt64 {
    lastTicket += 1
    return lastTicket
  }

  /// Nil when the continuation is kept, else how waiting ended at once.
  mutating func wait(_ name: String, _ ticket: UInt64, _ waiter: Waiter) -> End? {
    if abandoned.remove(ticket) != nil { return .tooLate }
    guard waiting[name] != nil else { return .gone }
    waiting[name]?[ticket] = waiter
    return nil
  }

  /// The continuation to resume, if it is kept; else the ticket will not wait.
  mutating func giveUp(_ name: String, _ ticket: UInt64) -> Waiter? {
    if let waiter = waiting[name]?.removeValue(forKey: ticket) { return waiter }
    abandoned.insert(ticket)
    return nil
  }

  /// Comes after both, so that no ticket is kept for ever.
  mutating func forget(_ ticket: UInt64) {
    abandoned.remove(ticket)
  }

  /// Ends a flight; returns those to wake.
  mutating func finish(_ name: String) -> [Waiter] {
    deadlines[name] = nil
    return Array((waiting.removeValue(forKey: name) ?? [:]).values)
  }
}
