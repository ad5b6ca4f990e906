/// Which decode is started when: as many at once as there are places, the earliest deadline first,
/// and none that would end too late. Where all that wait cannot end in time, the longest of those
/// that make it so is given up, at once (Moore and Hodgson's rule for the fewest late jobs, 1968), so
/// that it delays no other and something cheaper can be had in its place.
///
/// It knows no clock: each call is told the time.
package struct DecodeSchedule: Sendable {
  package typealias Instant = ContinuousClock.Instant

  /// What a decode is worth to whom it is for.
  package enum Role: Sendable, Hashable {
    case picture
    /// It only stands in for a picture that was given up: then it must be the shorter.
    case standIn
    /// The same, made better where nobody else wants the time.
    case betterStandIn
  }

  package struct Job: Sendable, Hashable {
    package var ticket: Int
    package var deadline: Instant
    /// By what its turn is told: its deadline, or the earlier one of somebody who waits for the same.
    fileprivate(set) var turn: Instant
    package var estimate: DecodeEstimate
    package var role: Role
    /// How its picture comes; nil where it is there.
    package var arrival: Arrival?

    package init(
      ticket: Int, deadline: Instant, estimate: DecodeEstimate, role: Role = .picture,
      arrival: Arrival? = nil
    ) {
      self.arrival = arrival
      turn = deadline
      self.ticket = ticket
      self.deadline = deadline
      self.estimate = estimate
      self.role = role
    }

    /// By what the longest is told: a thumbnail is worth a quarter of a picture, and a better one goes
    /// before anything else.
    fileprivate var length: Duration {
      switch role {
      case .picture: estimate.usual
      case .standIn: estimate.usual * 4
      case .betterStandIn: estimate.usual + .seconds(86_400)
      }
    }

    /// When it can begin at the earliest.
    fileprivate func earliestStart(_ now: Instant) -> Instant {
      guard let arrival, arrival.dueSince == nil else { return now }
      return now.advanced(by: arrival.lead)
    }

    /// Whether its picture has not come though it should have: then others are not kept waiting.
    fileprivate func isOverdue(_ now: Instant) -> Bool {
      guard let arrival, let since = arrival.dueSince else { return false }
      return now > since.advanced(by: arrival.lead * 2)
    }
  }

  /// A picture that is not fetched before it is nearly its turn.
  package struct Arrival: Sendable, Hashable {
    package var host: String
    /// What fetching it takes.
    package var lead: Duration
    /// When fetching must begin, whoever goes before.
    package var latest: Instant
    /// Since when it is being fetched.
    fileprivate(set) var dueSince: Instant?

    package init(from host: String, lead: Duration, latest: Instant) {
      self.host = host
      self.lead = lead
      self.latest = latest
    }
  }

  /// What is to happen now.
  package struct Decisions: Sendable, Hashable {
    package var started: [Int] = []
    package var refused: [Int] = []
    /// Their pictures are to be fetched now.
    package var due: [Int] = []

    package init() {}
  }

  private struct Running {
    var started: Instant
    var estimate: DecodeEstimate
  }

  /// Pictures for each place that are fetched at once.
  private static let fetchedAtOnce = 4

  private let width: Int
  private var running: [Int: Running] = [:]
  /// The earliest turn first, of one time the first come.
  private var waiting: [Job] = []

  /// `width` decodes run at once.
  package init(width: Int) {
    self.width = max(1, width)
  }

  package mutating func arrive(_ job: Job, now: Instant) -> Decisions {
    insert(job)
    return decide(now)
  }

  /// Moves up what waits, since somebody else wants the same by an earlier deadline.
  package mutating func hurry(_ ticket: Int, by turn: Instant, now: Instant) -> Decisions {
    guard let index = waiting.firstIndex(where: { $0.ticket == ticket }),
      turn < waiting[index].turn
    else { return Decisions() }
    var job = waiting.remove(at: index)
    job.turn = turn
    insert(job)
    return decide(now)
  }

  private mutating func insert(_ job: Job) {
    let index = waiting.firstIndex { $0.turn > job.turn } ?? waiting.endIndex
    waiting.insert(job, at: index)
  }

  /// Whether a job would be refused that came now.
  package func wouldRefuse(_ job: Job, now: Instant) -> Bool {
    var schedule = self
    return schedule.arrive(job, now: now).refused.contains(job.ticket)
  }

  package mutating func end(_ ticket: Int, now: Instant) -> Decisions {
    running[ticket] = nil
    return decide(now)
  }

  /// What is to happen now that time has passed.
  package mutating func look(now: Instant) -> Decisions { decide(now) }

  /// Forgets what waits, and nobody is told.
  package mutating func withdraw(_ ticket: Int, now: Instant) -> Decisions {
    waiting.removeAll { $0.ticket == ticket }
    return decide(now)
  }

  /// Refuses what still waits, because its time is over or nobody wants it any more.
  package mutating func giveUp(_ ticket: Int, now: Instant) -> Decisions {
    guard let index = waiting.firstIndex(where: { $0.ticket == ticket }) else {
      return Decisions()
    }
    waiting.remove(at: index)
    var decisions = decide(now)
    decisions.refused.append(ticket)
    return decisions
  }

  /// When a waiting decode must have begun.
  package static func latestStart(of job: Job) -> Instant {
    job.deadline.advanced(by: .zero - job.estimate.cautious)
  }

  private mutating func decide(_ now: Instant) -> Decisions {
    var decisions = Decisions()
    while let ticket = firstToGiveUp(now) {
      waiting.removeAll { $0.ticket == ticket }
      decisions.refused.append(ticket)
    }
    while running.count < width, let next = waiting.firstIndex(where: { $0.arrival == nil }) {
      let job = waiting.remove(at: next)
      running[job.ticket] = Running(started: now, estimate: job.estimate)
      decisions.started.append(job.ticket)
    }
    decisions.due = fetchDue(now)
    return decisions
  }

  /// Lays out what waits on the places as they come free; nil where all of it ends in time.
  private func firstToGiveUp(_ now: Instant) -> Int? {
    var places = freeTimes(now)
    let earliest = places.min() ?? now
    let planned = planned(now)
    for (index, job) in planned.enumerated() {
      let isThere = job.earliestStart(now)
      // Even were it the next.
      guard max(earliest, isThere) <= Self.latestStart(of: job) else { return job.ticket }
      let place = places.indices.min { places[$0] < places[$1] } ?? 0
      guard max(places[place], isThere) <= Self.latestStart(of: job) else {
        // Of two that are alike the later deadline's.
        return planned[...index].reversed().max { $0.length < $1.length }?.ticket
      }
      places[place] = places[place].advanced(by: job.estimate.usual)
    }
    return nil
  }

  /// Whose picture must be on its way when a place comes free for it.
  private mutating func fetchDue(_ now: Instant) -> [Int] {
    var places = freeTimes(now)
    var due: [Int] = []
    var underWay = waiting.count { $0.arrival?.dueSince != nil && !$0.isOverdue(now) }
    for index in waiting.indices {
      let place = places.indices.min { places[$0] < places[$1] } ?? 0
      guard let arrival = waiting[index].arrival else {
        places[place] = places[place].advanced(by: waiting[index].estimate.usual)
        continue
      }
      let isNear =
        places[place] <= now.advanced(by: arrival.lead) && underWay < width * Self.fetchedAtOnce
      guard arrival.dueSince == nil, isNear || arrival.latest <= now else { continue }
      waiting[index].arrival?.dueSince = now
      due.append(waiting[index].ticket)
      underWay += 1
    }
    return due
  }

  /// What waits, without pictures from hosts of which one has not come though it should have: others
  /// are not given up for them.
  private func planned(_ now: Instant) -> [Job] {
    let silent = Set(waiting.filter { $0.isOverdue(now) }.compactMap { $0.arrival?.host })
    return waiting.filter { job in job.arrival.map { !silent.contains($0.host) } ?? true }
  }

  private func freeTimes(_ now: Instant) -> [Instant] {
    let ends = running.values.map { run in
      // What has overrun its estimate may end at any time.
      max(run.started.advanced(by: run.estimate.usual), now.advanced(by: run.estimate.usual / 8))
    }
    return ends + Array(repeating: now, count: max(0, width - ends.count))
  }
}
