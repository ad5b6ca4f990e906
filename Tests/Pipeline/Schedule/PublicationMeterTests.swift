import Pipeline
import Testing

@Suite(.timeLimit(.minutes(15)))
struct PublicationMeterTests {
  private let start = ContinuousClock.now
  private let cost = PublicationCost(first: .milliseconds(10), each: .milliseconds(1))

  private func after(_ milliseconds: Int) -> ContinuousClock.Instant {
    start.advanced(by: .milliseconds(milliseconds))
  }

  @Test("The worst of late counts at once, and by half after five seconds")
  func recentWorst() {
    var worst = RecentWorst()
    #expect(worst.value(now: start) == .zero)
    worst.note(.milliseconds(80), now: start)
    #expect(worst.value(now: start) == .milliseconds(80))
    worst.note(.milliseconds(39), now: after(5000))
    #expect(abs(worst.value(now: after(5000)) / .milliseconds(1) - 40) < 0.001)
    worst.note(.milliseconds(41), now: after(5000))
    #expect(worst.value(now: after(5000)) == .milliseconds(41))
    #expect(worst.value(now: after(100_000)) < .milliseconds(1))
  }

  @Test("A publication that takes longer than foreseen moves all later ones forward")
  func delay() {
    let meter = PublicationMeter(cost)
    let before = meter.cost(now: start)
    #expect(before.delay == .zero)
    // For one alone 11 ms were foreseen.
    let run = meter.begin(now: start)
    meter.end(run, now: after(91))
    let delayed = meter.cost(now: after(91))
    #expect(abs(delayed.delay / .milliseconds(1) - 80) < 0.001, "\(delayed)")
    #expect(delayed.latestStart(for: 4) > before.latestStart(for: 4) + .milliseconds(40))
    #expect(delayed.reserve(for: 4, of: .seconds(2)) >= delayed.latestStart(for: 4))
    meter.note(delay: .milliseconds(300), now: after(91))
    #expect(meter.cost(now: after(91)).reserve(for: 4, of: .seconds(2)) >= .milliseconds(300))
    #expect(meter.cost(now: after(60_000)).delay < .milliseconds(1))
  }

  @Test("A look that came late counts as well, and what came in time for nothing")
  func lateLook() {
    let meter = PublicationMeter(cost)
    meter.note(delay: .milliseconds(-1), now: start)
    let run = meter.begin(now: start)
    meter.end(run, now: after(5))
    #expect(meter.cost(now: after(5)).delay == .zero)
    meter.note(delay: .milliseconds(120), now: after(5))
    #expect(meter.cost(now: after(5)).delay == .milliseconds(120))
  }

  @Test("Neither reserve nor start goes below its floor, nor a reserve above half the time")
  func bounds() {
    let quick = PublicationCost(first: .milliseconds(1), each: .zero)
    #expect(quick.latestStart(for: 1) == .milliseconds(50))
    #expect(quick.reserve(for: 1, of: .seconds(1)) == .milliseconds(100))
    #expect(quick.reserve(for: 1, of: .seconds(30)) == .milliseconds(160))
    let slow = PublicationCost(
      first: .milliseconds(1), each: .milliseconds(10), delay: .seconds(2))
    #expect(slow.reserve(for: 64, of: .seconds(2)) == .seconds(1))
    #expect(slow.latestStart(for: 64) > .milliseconds(2800))
  }

  @Test("The later things come, the fewer jobs are taken up at once")
  func carried() {
    var cost = cost
    let counts = [0, 100, 200, 800, 100_000].map { milliseconds in
      cost.delay = .milliseconds(milliseconds)
      return cost.carried(of: 64)
    }
    #expect(counts == [64, 64, 32, 8, 4])
    #expect(cost.carried(of: 2) == 2)
  }
}
