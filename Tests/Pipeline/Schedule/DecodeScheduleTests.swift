import Pipeline
import Testing

/// Which decodes are begun, in which order, and which are given up: by a clock of the tests' own.
@Suite(.timeLimit(.minutes(15)))
struct DecodeScheduleTests {
  private let start = ContinuousClock.now

  private func at(_ milliseconds: Int) -> ContinuousClock.Instant {
    start.advanced(by: .milliseconds(milliseconds))
  }

  private func job(
    _ ticket: Int, by deadline: Int, takes usual: Int, cautious: Int? = nil
  ) -> DecodeSchedule.Job {
    DecodeSchedule.Job(
      ticket: ticket, deadline: at(deadline),
      estimate: DecodeEstimate(
        usual: .milliseconds(usual), cautious: .milliseconds(cautious ?? usual)))
  }

  @Test("The earliest deadline is next, and what has come first of those that are alike")
  func earliestDeadlineFirst() {
    var schedule = DecodeSchedule(width: 1)
    #expect(schedule.arrive(job(1, by: 1000, takes: 10), now: at(0)).started == [1])
    for (ticket, deadline) in [(2, 900), (3, 500), (4, 700), (5, 500)] {
      let decisions = schedule.arrive(job(ticket, by: deadline, takes: 10), now: at(0))
      #expect(decisions == .init())
    }
    var order: [Int] = []
    var current = 1
    while let next = schedule.end(current, now: at(10)).started.first {
      order.append(next)
      current = next
    }
    #expect(order == [3, 5, 4, 2])
  }

  @Test("As many run at once as there are places")
  func width() {
    var schedule = DecodeSchedule(width: 2)
    let started = (1...4).flatMap {
      schedule.arrive(job($0, by: 1000, takes: 10), now: at(0)).started
    }
    #expect(started == [1, 2])
    #expect(schedule.end(2, now: at(5)).started == [3])
    #expect(schedule.end(1, now: at(6)).started == [4])
  }

  @Test("What cannot end in time even as the next is refused, and delays no other")
  func tooLong() {
    var schedule = DecodeSchedule(width: 1)
    #expect(schedule.arrive(job(1, by: 100, takes: 101), now: at(0)).refused == [1])
    #expect(schedule.arrive(job(2, by: 100, takes: 60), now: at(0)).started == [2])
    // Longer ones that are in time stay.
    #expect(schedule.arrive(job(3, by: 1000, takes: 500), now: at(0)) == .init())
    #expect(schedule.arrive(job(4, by: 100, takes: 50), now: at(0)).refused == [4])
    #expect(schedule.end(2, now: at(60)).started == [3])
  }

  @Test("It is the cautious estimate that must end in time, and the usual one that others wait")
  func estimates() {
    var schedule = DecodeSchedule(width: 1)
    #expect(schedule.arrive(job(1, by: 99, takes: 10, cautious: 100), now: at(0)).refused == [1])
    #expect(schedule.arrive(job(2, by: 100, takes: 10, cautious: 100), now: at(0)).started == [2])
    #expect(schedule.arrive(job(3, by: 110, takes: 10, cautious: 100), now: at(0)) == .init())
    #expect(schedule.arrive(job(4, by: 119, takes: 10, cautious: 100), now: at(0)).refused == [4])
  }

  @Test("Of what cannot all end in time the longest goes, at once")
  func longestGoes() {
    var schedule = DecodeSchedule(width: 1)
    #expect(schedule.arrive(job(1, by: 50, takes: 50), now: at(0)).started == [1])
    #expect(schedule.arrive(job(2, by: 250, takes: 90), now: at(0)) == .init())
    #expect(schedule.arrive(job(3, by: 260, takes: 100), now: at(0)) == .init())
    // 50 + 90 + 100 + 30 > 265.
    #expect(schedule.arrive(job(4, by: 265, takes: 30), now: at(0)).refused == [3])
    // Later ones do not count against those whose deadlines come before.
    #expect(schedule.arrive(job(5, by: 1000, takes: 900), now: at(0)).refused == [5])
    #expect(schedule.end(1, now: at(50)).started == [2])
    #expect(schedule.end(2, now: at(140)).started == [4])
  }

  @Test(
    "As many end in time as in the largest of all sets that can, where the earliest comes first")
  func fewestLate() {
    var generator = Generator(seed: 5)
    for _ in 0..<200 {
      let jobs = (1...9).map { ticket in
        job(ticket, by: 10 + generator.next(200), takes: 1 + generator.next(60))
      }.sorted { $0.deadline < $1.deadline }
      // One that runs already, so that all wait when they come.
      var schedule = DecodeSchedule(width: 1)
      _ = schedule.arrive(job(0, by: 1000, takes: 10), now: at(0))
      var refused: Set<Int> = []
      for job in jobs { refused.formUnion(schedule.arrive(job, now: at(0)).refused) }
      #expect(jobs.count - refused.count == mostInTime(jobs))
      #expect(run(&schedule, jobs, refused))
    }
  }

  /// Whether what was not refused ends in time when each takes what was supposed.
  private func run(
    _ schedule: inout DecodeSchedule, _ jobs: [DecodeSchedule.Job], _ refused: Set<Int>
  ) -> Bool {
    var now = at(10)
    var current = 0
    var count = 0
    while true {
      let decisions = schedule.end(current, now: now)
      guard decisions.refused.isEmpty else { return false }
      guard let next = decisions.started.first, let job = jobs.first(where: { $0.ticket == next })
      else { return count == jobs.count - refused.count }
      now = now.advanced(by: job.estimate.usual)
      guard now <= job.deadline else { return false }
      (current, count) = (next, count + 1)
    }
  }

  private func mostInTime(_ jobs: [DecodeSchedule.Job]) -> Int {
    let jobs = jobs.sorted { $0.deadline < $1.deadline }
    return (0..<1 << jobs.count).map { set in
      var now = at(10)
      for (index, job) in jobs.enumerated() where set >> index & 1 == 1 {
        now = now.advanced(by: job.estimate.usual)
        if now > job.deadline { return 0 }
      }
      return set.nonzeroBitCount
    }.max() ?? 0
  }

  @Test("What stands in for a picture gives way to one of less than four times its length")
  func standIns() {
    var schedule = DecodeSchedule(width: 1)
    #expect(schedule.arrive(job(1, by: 50, takes: 50), now: at(0)).started == [1])
    var thumbnail = job(2, by: 80, takes: 20)
    thumbnail.role = .standIn
    #expect(schedule.arrive(thumbnail, now: at(0)) == .init())
    #expect(schedule.arrive(job(3, by: 140, takes: 90), now: at(0)).refused == [3])
    #expect(schedule.arrive(job(4, by: 140, takes: 75), now: at(0)).refused == [2])
    #expect(schedule.end(1, now: at(50)).started == [4])
  }

  @Test("What makes a stand-in better gives way to everything else, however short it is")
  func betterStandIns() {
    var schedule = DecodeSchedule(width: 1)
    #expect(schedule.arrive(job(1, by: 50, takes: 50), now: at(0)).started == [1])
    var better = job(2, by: 100, takes: 1)
    better.role = .betterStandIn
    #expect(schedule.arrive(better, now: at(0)) == .init())
    // 50 + 1 + 949 + 1 > 1000.
    #expect(schedule.arrive(job(3, by: 999, takes: 948), now: at(0)) == .init())
    var standIn = job(4, by: 1000, takes: 1)
    standIn.role = .standIn
    #expect(schedule.arrive(standIn, now: at(0)) == .init())
    #expect(schedule.arrive(job(5, by: 1000, takes: 1), now: at(0)).refused == [2])
    #expect(schedule.end(1, now: at(50)).started == [3])
  }

  @Test("What would be refused is told without a change, before it is there to be decoded")
  func foresight() {
    var schedule = DecodeSchedule(width: 1)
    #expect(schedule.arrive(job(1, by: 50, takes: 50), now: at(0)).started == [1])
    #expect(schedule.arrive(job(2, by: 150, takes: 80), now: at(0)) == .init())
    #expect(schedule.wouldRefuse(job(3, by: 150, takes: 90), now: at(0)))
    #expect(!schedule.wouldRefuse(job(3, by: 150, takes: 20), now: at(0)))
    // The longer one would go.
    #expect(!schedule.wouldRefuse(job(3, by: 150, takes: 30), now: at(0)))
    #expect(schedule.end(1, now: at(50)).started == [2])
  }

  @Test(
    "A decode that overruns its estimate makes those wait less that it keeps from ending in time")
  func overrun() {
    var schedule = DecodeSchedule(width: 1)
    #expect(schedule.arrive(job(1, by: 1000, takes: 80), now: at(0)).started == [1])
    #expect(schedule.arrive(job(2, by: 150, takes: 60), now: at(0)) == .init())
    // 130 + 80 / 8 + 60 > 150.
    #expect(schedule.arrive(job(3, by: 900, takes: 10), now: at(130)).refused == [2])
    #expect(schedule.giveUp(3, now: at(131)).refused == [3])
    #expect(schedule.giveUp(3, now: at(131)) == .init())
    #expect(schedule.end(1, now: at(140)) == .init())
  }

  @Test("What nothing is known of is refused only when its time is over")
  func unknown() {
    var schedule = DecodeSchedule(width: 1)
    for ticket in 1...50 {
      let unknown = DecodeSchedule.Job(ticket: ticket, deadline: at(100), estimate: .none)
      #expect(schedule.arrive(unknown, now: at(0)).refused.isEmpty)
    }
    #expect(schedule.end(1, now: at(101)).refused == Array(2...50))
  }

  private func fetched(
    _ ticket: Int, by deadline: Int, takes usual: Int, lead: Int, latest: Int = 1_000_000
  ) -> DecodeSchedule.Job {
    var job = job(ticket, by: deadline, takes: usual)
    job.arrival = DecodeSchedule.Arrival(
      from: "\(ticket % 9)", lead: .milliseconds(lead), latest: at(latest))
    return job
  }

  @Test("A picture is fetched when the work before it takes no longer than fetching it")
  func due() {
    var schedule = DecodeSchedule(width: 1)
    #expect(schedule.arrive(job(1, by: 9000, takes: 100), now: at(0)).started == [1])
    #expect(schedule.arrive(job(2, by: 5000, takes: 200), now: at(0)) == .init())
    // Behind 300 ms of work that is there; what is not there holds up no fetching.
    #expect(schedule.arrive(fetched(3, by: 6000, takes: 100, lead: 250), now: at(0)) == .init())
    #expect(schedule.arrive(fetched(4, by: 7000, takes: 100, lead: 250), now: at(0)) == .init())
    #expect(schedule.look(now: at(40)) == .init())
    #expect(schedule.look(now: at(60)).due == [3, 4])
    #expect(schedule.look(now: at(61)) == .init())
    #expect(schedule.arrive(fetched(5, by: 4000, takes: 10, lead: 250), now: at(70)).due == [5])
    // None of them is there: the one that is goes first.
    #expect(schedule.end(1, now: at(100)).started == [2])
    #expect(schedule.end(2, now: at(300)) == .init())
    #expect(schedule.withdraw(3, now: at(301)) == .init())
    #expect(schedule.arrive(job(3, by: 6000, takes: 100), now: at(302)).started == [3])
  }

  @Test("A picture is fetched at its latest time, whatever goes before it")
  func dueByTime() {
    var schedule = DecodeSchedule(width: 1)
    #expect(schedule.arrive(job(1, by: 9000, takes: 5000), now: at(0)).started == [1])
    let late = fetched(2, by: 9000, takes: 10, lead: 10, latest: 3000)
    #expect(schedule.arrive(late, now: at(0)) == .init())
    #expect(schedule.look(now: at(2999)) == .init())
    #expect(schedule.look(now: at(3000)).due == [2])
  }

  @Test("What should have come, and has not, keeps nothing else waiting, nor does its host")
  func overdue() {
    var schedule = DecodeSchedule(width: 1)
    // Four at once, and never more; two of each host.
    let due = (1...18).flatMap { ticket in
      schedule.arrive(fetched(ticket, by: 5000, takes: 200, lead: 60), now: at(0)).due
    }
    #expect(due == [1, 2, 3, 4])
    let good = job(20, by: 2000, takes: 900)
    #expect(schedule.wouldRefuse(job(20, by: 5000, takes: 3000), now: at(60)))
    // Late after twice the lead: the next four, and so on.
    #expect(schedule.look(now: at(120)).due.isEmpty)
    #expect(schedule.look(now: at(121)).due == [5, 6, 7, 8])
    #expect(schedule.look(now: at(242)).due == [9, 10, 11, 12])
    #expect(schedule.look(now: at(363)).due == [13, 14, 15, 16])
    #expect(!schedule.wouldRefuse(job(20, by: 5000, takes: 3000), now: at(363)))
    #expect(schedule.arrive(good, now: at(363)).started == [20])
  }

  @Test("What somebody else waits for moves up to his deadline, and is given up by its own")
  func hurry() {
    var schedule = DecodeSchedule(width: 1)
    #expect(schedule.arrive(job(1, by: 9000, takes: 100), now: at(0)).started == [1])
    for ticket in 2...4 {
      #expect(
        schedule.arrive(job(ticket, by: 5000 + ticket, takes: 100), now: at(0)) == .init())
    }
    #expect(schedule.hurry(4, by: at(6000), now: at(1)) == .init())
    #expect(schedule.hurry(4, by: at(150), now: at(1)) == .init())
    #expect(schedule.hurry(5, by: at(150), now: at(1)) == .init())
    #expect(schedule.end(1, now: at(200)).started == [4])
    #expect(schedule.end(4, now: at(300)).started == [2])
  }

  @Test("What is still to be fetched is given up as what waits is, its fetching counted in")
  func fetchedInVain() {
    var schedule = DecodeSchedule(width: 1)
    #expect(schedule.arrive(fetched(1, by: 100, takes: 60, lead: 41), now: at(0)).refused == [1])
    #expect(schedule.arrive(fetched(2, by: 100, takes: 60, lead: 40), now: at(0)).due == [2])
    #expect(schedule.withdraw(2, now: at(1)) == .init())
    #expect(schedule.arrive(job(3, by: 900, takes: 300), now: at(1)).started == [3])
    #expect(schedule.arrive(fetched(4, by: 900, takes: 400, lead: 10), now: at(1)) == .init())
    #expect(schedule.arrive(fetched(5, by: 900, takes: 300, lead: 10), now: at(1)).refused == [4])
    #expect(schedule.arrive(job(6, by: 900, takes: 350), now: at(1)).refused == [6])
  }
}

/// The same numbers in each run (Lehmer's generator with the multiplier of Park and Miller).
private struct Generator {
  private var state: Int

  init(seed: Int) { state = seed }

  /// 0..<bound.
  mutating func next(_ bound: Int) -> Int {
    state = state * 48_271 % 2_147_483_647
    return state % bound
  }
}
