import Dispatch
import Pipeline
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15)))
struct BlockingCallsTests {
  private static let patience = DispatchTimeInterval.seconds(60)

  private final class Tally: Sendable {
    let running = Atomic(0)
    let expired = Atomic(0)
    let most = Mutex(0)
    let order = Mutex<[Int]>([])

    func begin() {
      let now = running.add(1, ordering: .sequentiallyConsistent).newValue
      most.withLock { $0 = max($0, now) }
    }

    func end() { running.subtract(1, ordering: .sequentiallyConsistent) }
  }

  @Test("Calls that block keep neither tasks nor other calls waiting")
  func independence() async {
    let calls = BlockingCalls(label: "blocked", most: 81)
    let others = BlockingCalls(label: "others")
    let gate = DispatchSemaphore(value: 0)
    let tally = Tally()
    let begun = AsyncStream<Void>.makeStream()
    let count = 80
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        group.addTask {
          await calls.run {
            begun.continuation.yield()
            let outcome = gate.wait(timeout: .now() + Self.patience)
            if outcome == .timedOut { tally.expired.add(1, ordering: .relaxed) }
          }
        }
      }
      // A task that comes and goes, and a call of either kind, while all of these block.
      var left = count
      for await _ in begun.stream {
        left -= 1
        if left == 0 { break }
      }
      await Task.yield()
      await calls.run {}
      await others.run {}
      for _ in 0..<count { gate.signal() }
    }
    #expect(tally.expired.load(ordering: .relaxed) == 0)
  }

  @Test("No more calls than told run at once, and of those that wait the earliest turn is the next")
  func turns() async {
    let threads = BlockingThreads(label: "bound", most: 3)
    let start = ContinuousClock.now
    let tally = Tally()
    let gates = (0..<3).map { _ in DispatchSemaphore(value: 0) }
    let group = DispatchGroup()
    let call: @Sendable (Int) -> Void = { number in
      tally.begin()
      if number < 3 { gates[number].wait() } else { tally.order.withLock { $0.append(number) } }
      // With one thread for all that wait there is but one order; the last one frees the others.
      if number == 29 { for gate in gates.dropFirst() { gate.signal() } }
      tally.end()
      group.leave()
    }
    for number in [0, 1, 2] + (3..<30).map({ 3 + ($0 * 7) % 27 }) {
      group.enter()
      threads.run(turn: start.advanced(by: .seconds(number))) { call(number) }
    }
    gates[0].signal()
    await withCheckedContinuation { continuation in
      group.notify(queue: DispatchQueue(label: "ended")) { continuation.resume() }
    }
    #expect(tally.most.withLock { $0 } <= 3)
    #expect(tally.order.withLock { $0 } == Array(3..<30))
  }
}
