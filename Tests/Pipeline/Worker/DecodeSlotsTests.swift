import Media
import Pipeline
import Synchronization
import Testing

/// How many run, and how many ran at once.
private final class Census: Sendable {
  private let state = Mutex((running: 0, most: 0))

  var most: Int { state.withLock { $0.most } }

  func enter() {
    state.withLock { state in
      state.running += 1
      state.most = max(state.most, state.running)
    }
  }

  func leave() {
    state.withLock { $0.running -= 1 }
  }
}

@Suite(.timeLimit(.minutes(15)))
struct DecodeSlotsTests {
  @Test("As many bodies run at once as there are slots, and each that is begun gives its value")
  func width() async {
    let slots = DecodeSlots(count: 2)
    let census = Census()
    await withTaskGroup(of: Int?.self) { group in
      for number in 0..<40 {
        group.addTask {
          await slots.run(by: .after(.seconds(600))) {
            census.enter()
            await Task.yield()
            census.leave()
            return number
          }
        }
      }
      var values: Set<Int> = []
      for await value in group { if let value { values.insert(value) } }
      #expect(values == Set(0..<40))
    }
    #expect(census.most <= 2)
  }

  @Test("What cannot end in time is not begun, and who waits is told when its last start has gone")
  func refusal() async {
    let slots = DecodeSlots(count: 1)
    let hour = DecodeEstimate(usual: .seconds(3600), cautious: .seconds(3600))
    #expect(await slots.run(by: .after(.seconds(60)), hour) { 1 } == nil)
    let holding = await occupied(slots)
    #expect(await slots.run(by: .after(.milliseconds(30))) { 1 } == nil)
    holding.cancel()
    _ = await holding.value
    #expect(await slots.run(by: .after(.seconds(600))) { 1 } == 1)
  }

  @Test("A cancelled task does not wait")
  func cancellation() async {
    let slots = DecodeSlots(count: 1)
    let holding = await occupied(slots)
    let waiting = Task { await slots.run(by: .after(.seconds(600))) { 1 } }
    waiting.cancel()
    #expect(await waiting.value == nil)
    holding.cancel()
    _ = await holding.value
  }

  @Test("Who books is told once: to fetch when its turn is near, or that it was given up")
  func bookings() async throws {
    let slots = DecodeSlots(count: 1)
    let second = DecodeEstimate(usual: .seconds(1), cautious: .seconds(1))
    let holding = await occupied(slots, second)
    let hour = DecodeEstimate(usual: .seconds(3600), cautious: .seconds(3600))
    let arrival = DecodeSchedule.Arrival(
      from: "a.example", lead: .milliseconds(1), latest: .now.advanced(by: .seconds(600)))
    let refused = slots.book(hour, by: .after(.seconds(60)), arrival) { _ in
      Issue.record("nobody holds anything")
    }
    #expect(refused == .refused)
    let told = AsyncStream<Bool>.makeStream()
    let booking = slots.book(second, by: .after(.seconds(600)), arrival) {
      told.continuation.yield($0)
    }
    guard case .held(let ticket) = booking else {
      Issue.record("\(booking)")
      return
    }
    holding.cancel()
    _ = await holding.value
    var answers = told.stream.makeAsyncIterator()
    #expect(await answers.next() == true)
    // What is being fetched keeps no other from its slot.
    #expect(await slots.run(by: .after(.seconds(600))) { 1 } == 1)
    slots.withdraw(ticket)
    told.continuation.finish()
    #expect(await answers.next() == nil)
    guard case .due = slots.book(second, by: .after(.seconds(60)), arrival, holder: { _ in }) else {
      Issue.record("there is nothing to wait for")
      return
    }
  }

  @Test("A picture is to be fetched by its latest time, though nothing has ended")
  func latest() async throws {
    let slots = DecodeSlots(count: 1)
    let minute = DecodeEstimate(usual: .seconds(60), cautious: .seconds(60))
    let holding = await occupied(slots, minute)
    let told = AsyncStream<Bool>.makeStream()
    let booking = slots.book(
      minute, by: .after(.seconds(600)),
      DecodeSchedule.Arrival(
        from: "a.example", lead: .milliseconds(1), latest: .now.advanced(by: .milliseconds(50)))
    ) { told.continuation.yield($0) }
    guard case .held = booking else {
      Issue.record("\(booking)")
      return
    }
    var answers = told.stream.makeAsyncIterator()
    #expect(await answers.next() == true)
    holding.cancel()
    _ = await holding.value
  }

  /// A decode that holds a slot until it is cancelled.
  private func occupied(
    _ slots: DecodeSlots, _ estimate: DecodeEstimate = .none
  ) async -> Task<Void?, Never> {
    let gate = AsyncStream<Void>.makeStream()
    let holding = Task {
      await slots.run(by: .after(.seconds(600)), estimate) {
        gate.continuation.yield()
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(50)) }
      }
    }
    for await _ in gate.stream { break }
    return holding
  }
}
