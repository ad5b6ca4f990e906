import Dispatch
import Files
import Media
import Pipeline
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15)))
struct PublicationCostTests {
  @Test("A moving quantile settles where it is told to, and follows a change")
  func quantile() {
    var quantile = MovingQuantile(1, share: 0.8)
    for number in 0..<2000 { quantile.note(Double(number * 37 % 100)) }
    #expect(quantile.value > 65 && quantile.value < 95, "\(quantile.value)")
    for number in 0..<2000 { quantile.note(1000 + Double(number * 37 % 100)) }
    #expect(quantile.value > 1000 && quantile.value < 1100, "\(quantile.value)")
    quantile.note(.nan)
    quantile.note(.infinity)
    #expect(quantile.value < 1200)
  }

  @Test("Threads that sync at the same time share a sync which began after each of them asked")
  func sharedSync() {
    let sync = SharedSync()
    let asked = Atomic(0)
    let done = Atomic(0)
    let count = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 200) { _ in
      let mine = asked.add(1, ordering: .sequentiallyConsistent).newValue
      try? sync.run { () throws(SystemCallFailure) in
        let seen = asked.load(ordering: .sequentiallyConsistent)
        count.add(1, ordering: .relaxed)
        done.store(seen, ordering: .sequentiallyConsistent)
      }
      #expect(done.load(ordering: .sequentiallyConsistent) >= mine)
    }
    #expect(count.load(ordering: .relaxed) <= 200)
  }

  @Test("A failed sync fails for all who waited for it")
  func failedSync() {
    let sync = SharedSync()
    let failures = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 20) { _ in
      do throws(SystemCallFailure) {
        try sync.run { () throws(SystemCallFailure) in throw SystemCallFailure("fsync", number: 5) }
      } catch {
        failures.add(1, ordering: .relaxed)
      }
    }
    #expect(failures.load(ordering: .relaxed) == 20)
  }

  @Test("The queue tells when publishing must begin so that no waiting job is late")
  func latestStart() throws {
    let jobs = try Jobs.make()
    for number in 1...4 {
      try jobs.put(#"{"title":"T","ttlSeconds":\#(number == 4 ? 40 : 20)}"#, as: "\(number).json")
    }
    var queue = try jobs.queue()
    let cost = PublicationCost(first: .milliseconds(100), each: .seconds(1))
    let start = try #require(try queue.latestStart(cost, ahead: 2))
    // The third of those with 20 s: twice (0.1 s + 5 × 1 s) before its deadline.
    let left = queue.startedAt.duration(to: start)
    #expect(abs(left / .seconds(1) - (20 - 5.1 * 2)) < 1, "\(left)")
    for _ in 0..<4 { try queue.nextJob().finish(keepingPayload: false) }
    #expect(try queue.latestStart(cost, ahead: 2) == nil)
  }

  @Test("Measured costs are kept in the job directory, and damaged ones count for nothing")
  func keptCosts() throws {
    let jobs = try Jobs.make()
    let costs = KeptCosts(jobs.directory)
    #expect(costs.readPublication() == nil)
    let measured = try #require(PublicationProbe(directory: jobs.directory).measure())
    #expect(measured.first > .zero && measured.each > .zero)
    #expect(try jobs.temporary.names(in: "outbox").isEmpty)
    costs.write(
      PublicationCost(first: .milliseconds(5), each: .microseconds(1200)), DecodeCosts())
    #expect(
      costs.readPublication() == PublicationCost(first: .milliseconds(5), each: .microseconds(1200))
    )
    for text in ["", "{", "{\"publication\":{\"firstMicroseconds\":-1,\"eachMicroseconds\":1}}"] {
      try jobs.temporary.write(text, to: ".costs.json")
      #expect(costs.readPublication() == nil)
    }
  }
}
