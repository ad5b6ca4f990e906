import Files
import Glibc
import Media
import SharedCache
import TestSupport
import Testing

@Suite("Single flight", .timeLimit(.minutes(15)))
struct SingleFlightTests {
  @Test func `of many tasks one leads and the others land with it`() async throws {
    let fixture = try CacheFixture.make()
    let cache = fixture.cache
    let key = SourceKey(url: "https://a.example/x")
    let record = try SourceTests.record(key.url)
    let fetches = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<200 {
        group.addTask {
          var fetches = 0
          while cache.lookUp(key, now: newYear) == nil {
            switch try await cache.flights.board(key.url, deadline: .after(.seconds(30))) {
            case .landed: continue
            case .leading(let flight):
              if cache.lookUp(key, now: newYear) == nil {
                fetches += 1
                try await Task.sleep(for: .milliseconds(20))
                try cache.store(record, now: newYear)
              }
              flight.land()
            }
          }
          return fetches
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(fetches == 1)
    #expect(try fixture.folder.names(in: "cache/locks") == ["index"])
  }

  @Test func `eight processes download each address once`() async throws {
    let fixture = try CacheFixture.make()
    let log = fixture.folder.path(of: "origin.log")
    let command = try Command.built("cache-exerciser", ["fetch", fixture.path, log, "25", "5"])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let outcome = try await command.run(limit: .seconds(120))
          #expect(outcome.text == "fetched\n")
        }
      }
      try await group.waitForAll()
    }
    let lines = String(decoding: try FileBytes.read(log), as: UTF8.self).split(separator: "\n")
    #expect(lines.sorted() == (0..<25).map { "https://a.example/\($0)" }.sorted())
  }

  @Test func `when the holder is killed the next goes on`() async throws {
    let fixture = try CacheFixture.make()
    let holder = try await Self.holder(of: "key", in: fixture.path)
    let flights = fixture.cache.flights
    async let boarded = Self.leads(flights, "key", within: .seconds(20))
    try await Task.sleep(for: .milliseconds(120))
    holder.send(SIGKILL)
    #expect(try await boarded)
    #expect(try await holder.finish(by: .after(.seconds(120))).ending == .signalled(SIGKILL))
  }

  @Test func `whoever waits for a live holder gives up at the deadline`() async throws {
    let fixture = try CacheFixture.make()
    let holder = try await Self.holder(of: "key", in: fixture.path)
    let flights = fixture.cache.flights
    // The first waits for the lock, the second for the first.
    async let first = Self.failure(flights, "key", within: .milliseconds(100))
    async let second = Self.failure(flights, "key", within: .milliseconds(50))
    #expect(await first == .deadlineExceeded)
    #expect(await second == .deadlineExceeded)
    #expect(try await Self.leads(flights, "another key", within: .seconds(10)))
    holder.send(SIGKILL)
    _ = try await holder.finish(by: .after(.seconds(120)))
  }

  @Test func `a cancelled task waits no longer`() async throws {
    let fixture = try CacheFixture.make()
    let holder = try await Self.holder(of: "key", in: fixture.path)
    let flights = fixture.cache.flights
    let waiting = Task { await Self.failure(flights, "key", within: .seconds(100)) }
    waiting.cancel()
    #expect(await waiting.value == .deadlineExceeded)
    holder.send(SIGKILL)
    _ = try await holder.finish(by: .after(.seconds(120)))
  }

  @Test func `who leads is told of the earliest deadline of those who wait`() async throws {
    let fixture = try CacheFixture.make()
    let (here, elsewhere) = (fixture.cache, try fixture.reopened())
    let hours = (1...3).map { Deadline.after(.seconds(3600 * $0)) }
    guard case .leading(let flight) = try await here.flights.board("key", deadline: hours[2]) else {
      Issue.record("nobody else leads")
      return
    }
    #expect(here.flights.earliestWaiter(of: "key") == nil)
    let inside = Task { try await Self.leads(here.flights, "key", within: .seconds(7200)) }
    try await Self.eventually { here.flights.earliestWaiter(of: "key") != nil }
    let first = try #require(here.flights.earliestWaiter(of: "key"))
    #expect(abs(first.remaining / .seconds(1) - 7200) < 600)
    // By what another process would write.
    let outside = Task { try await Self.leads(elsewhere.flights, "key", within: .seconds(3600)) }
    try await Self.eventually {
      here.flights.earliestWaiter(of: "key").map { $0.remaining < .seconds(3601) } == true
    }
    let second = try #require(here.flights.earliestWaiter(of: "key"))
    #expect(abs(second.remaining / .seconds(1) - 3600) < 600)
    // That the work has begun is told beside it.
    #expect(!here.flights.hasBegun("key"))
    flight.begin()
    #expect(here.flights.hasBegun("key"))
    #expect(here.flights.earliestWaiter(of: "key") != nil)
    flight.land()
    #expect(try await inside.value == false)
    _ = try await outside.value
    #expect(here.flights.earliestWaiter(of: "key") == nil)
  }

  private static func eventually(_ isSeen: () -> Bool) async throws {
    let limit = Deadline.after(.seconds(120))
    while !isSeen() {
      try #require(!limit.hasPassed)
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  static func leads(
    _ flights: SingleFlight, _ key: String, within limit: Duration
  ) async throws -> Bool {
    switch try await flights.board(key, deadline: .after(limit)) {
    case .leading: true
    case .landed: false
    }
  }

  /// How asking for a flight ends while another process leads.
  private static func failure(
    _ flights: SingleFlight, _ key: String, within limit: Duration
  ) async -> CacheFailure? {
    let deadline = Deadline.after(limit)
    do throws(CacheFailure) {
      while true {
        // The other task's giving up counts as landing: one asks again.
        if case .leading = try await flights.board(key, deadline: deadline) { return nil }
      }
    } catch {
      return error
    }
  }

  /// A process that holds a flight.
  private static func holder(of key: String, in directory: String) async throws -> RunningCommand {
    let holder = try Command.built("cache-exerciser", ["hold", directory, key]).start()
    try await holder.waitForOutput()
    return holder
  }
}

extension RunningCommand {
  /// Waits until the child has written something.
  borrowing func waitForOutput() async throws {
    let deadline = Deadline.after(.seconds(30))
    while try outputSoFar().isEmpty && !deadline.hasPassed {
      try await Task.sleep(for: .milliseconds(5))
    }
  }
}
