import Download
import Files
import Media
import Origin
import Synchronization
import TestSupport
import Testing

/// Transfers that are held at their first bytes until somebody decides.
@Suite("Holding downloads back", .timeLimit(.minutes(15)))
struct HoldTests {
  /// Hands out the holds of transfers as they come.
  private final class Holds: Sendable {
    private let stream = AsyncStream<TransferHold>.makeStream()
    private let openings = Mutex<[Int]>([])
    private let declared = Mutex<Int??>(nil)

    /// Holds once it has seen so much.
    func judge(least: Int = 4096) -> DownloadRequest.Judge {
      { [self] opening, length, hold in
        openings.withLock { $0.append(opening.count) }
        declared.withLock { $0 = .some(length) }
        guard opening.count >= least else { return .undecided }
        guard let hold else { return .goOn }
        stream.continuation.yield(hold)
        return .hold
      }
    }

    func next() async throws -> TransferHold {
      var iterator = stream.stream.makeAsyncIterator()
      return try #require(await iterator.next())
    }

    var seen: [Int] { openings.withLock { $0 } }
    var length: Int?? { declared.withLock { $0 } }
  }

  private let origin: OriginServer
  private let fetch: Fetch
  private let holds = Holds()
  private let refusal = Problem(.decode, .deadlineExceeded, "others go before")

  init() throws {
    origin = try OriginServer()
    fetch = try Fetch(origin)
  }

  /// Begins a fetch of 3 MB that is held.
  private func begin(
    _ query: String = "size=3000000", within time: Duration = .seconds(50)
  ) -> Task<Fetch.Outcome, any Error> {
    let (fetch, judge) = (fetch, holds.judge())
    return Task { try await fetch.run("/a?\(query)", within: time) { $0.judge = judge } }
  }

  @Test("A held transfer takes nothing more until it is to go on, and then all")
  func goesOn() async throws {
    let judge = holds.judge()
    let file = try MemoryFile.create("body")
    let address = try #require(WebAddress(origin.url("/a?size=3000000")))
    var request = DownloadRequest(address, deadline: .after(.seconds(50)))
    request.judge = judge
    let (number, made) = (file.number, request)
    async let response = fetch.downloader.fetch(made, into: number)
    let hold = try await holds.next()
    // While whole other bodies come over the same thread.
    for _ in 0..<3 {
      #expect(try await fetch.run("/b?size=3000000").bytes.count == 3_000_000)
    }
    #expect((4096...65_536).contains(try file.size()))
    hold.end(.goOn)
    #expect(try await response.byteCount == 3_000_000)
    let picture = OriginServer.picture(3_000_000)
    #expect(try file.read(at: 0, count: 3_000_001) == Array(picture))
    #expect(holds.length == 3_000_000)
  }

  @Test("A held transfer that is stopped fails for that reason, and leaves what it had brought")
  func stops() async throws {
    let task = begin()
    try await holds.next().end(.stop(refusal))
    let outcome = try await task.value
    #expect(outcome.failure == .refused(refusal))
    #expect((4096...65_536).contains(outcome.bytes.count))
    #expect(
      outcome.bytes.elementsEqual(OriginServer.picture(3_000_000).prefix(outcome.bytes.count)))
    #expect(origin.requests.count == 1)
  }

  @Test("Of several verdicts the first holds")
  func firstVerdict() async throws {
    let task = begin()
    let hold = try await holds.next()
    hold.end(.goOn)
    hold.end(.stop(refusal))
    #expect(try await task.value.bytes.count == 3_000_000)
  }

  @Test("A held transfer ends when its caller gives it up")
  func cancelled() async throws {
    let task = begin()
    _ = try await holds.next()
    task.cancel()
    #expect(try await task.value.failure == .cancelled)
  }

  @Test("A held transfer ends at its deadline")
  func deadline() async throws {
    let task = begin(within: .milliseconds(700))
    let hold = try await holds.next()
    guard case .downloadTimeout(let received) = try await task.value.failure else {
      Issue.record("no time-out")
      return
    }
    #expect(received >= 4096)
    // Nobody listens any more.
    hold.end(.goOn)
  }

  @Test("More and more is shown until there is a decision, or enough was seen")
  func growing() async throws {
    let judge = holds.judge(least: 60_000)
    let fetch = fetch
    let task = Task { try await fetch.run("/a?size=3000000") { $0.judge = judge } }
    try await holds.next().end(.goOn)
    #expect(try await task.value.bytes.count == 3_000_000)
    #expect(holds.seen == holds.seen.sorted())
    #expect((60_000...DownloadRequest.openingLength).contains(holds.seen.last ?? 0))
    let undecided = Holds()
    let never = undecided.judge(least: .max)
    #expect(try await fetch.run("/a?size=3000000") { $0.judge = never }.bytes.count == 3_000_000)
    #expect(undecided.seen.last == DownloadRequest.openingLength)
  }

  @Test("Of a host's connections two are left to transfers that go on")
  func connectionsLeft() async throws {
    var options = Fetch.options()
    options.maximumPerHost = 3
    let fetch = try Fetch(origin, options)
    let judge = holds.judge()
    let held = Task { try await fetch.run("/a?size=100000") { $0.judge = judge } }
    let hold = try await holds.next()
    // Those that come after are offered none, and end.
    for _ in 0..<3 {
      #expect(try await fetch.run("/b?size=100000") { $0.judge = judge }.bytes.count == 100_000)
    }
    hold.end(.goOn)
    #expect(try await held.value.bytes.count == 100_000)
    // Its place is free again.
    let again = Task { try await fetch.run("/c?size=100000") { $0.judge = judge } }
    try await holds.next().end(.goOn)
    #expect(try await again.value.bytes.count == 100_000)
  }

  @Test("The time that a host is given does not run while its transfer is held")
  func hostTime() async throws {
    var (options, rules, rule) = (Fetch.options(), HostRules(), HostRule())
    // Enough for the body on a busy machine, once it goes on.
    rule.timeout = .milliseconds(2500)
    let isTaken = rules.set(rule, for: "127.0.0.1")
    #expect(isTaken)
    options.hostRules = { [rules] in rules }
    let fetch = try Fetch(origin, options)
    let judge = holds.judge()
    let task = Task { try await fetch.run("/a?size=3000000") { $0.judge = judge } }
    let hold = try await holds.next()
    // Another that does not answer uses up all of its time.
    guard case .downloadTimeout = try await fetch.run("/b?silent").failure else {
      Issue.record("no time-out")
      return
    }
    hold.end(.goOn)
    #expect(try await task.value.bytes.count == 3_000_000)
  }

  @Test("Who wants a held transfer's connection by an earlier deadline has it go on")
  func urgent() async throws {
    var options = Fetch.options()
    options.maximumPerHost = 3
    let fetch = try Fetch(origin, options)
    let judge = holds.judge()
    let held = Task {
      try await fetch.run("/a?size=100000", within: .seconds(500)) { $0.judge = judge }
    }
    let hold = try await holds.next()
    let isOver = Mutex(false)
    // The other connections are taken by what does not come.
    let slow = (0..<2).map { number in
      Task { try await fetch.run("/slow\(number)?silent", within: .seconds(500)) }
    }
    while origin.requests.count < 3 { await Task.yield() }
    hold.whenEnded { isOver.withLock { $0 = true } }
    #expect(try await fetch.run("/b?size=100000", within: .seconds(300)).bytes.count == 100_000)
    #expect(isOver.withLock { $0 })
    #expect(try await held.value.bytes.count == 100_000)
    for task in slow { task.cancel() }
  }

  @Test("A body that breaks off while it is held is fetched once more")
  func brokenWhileHeld() async throws {
    let task = begin("size=3000000&reset=50&fail=1")
    try await holds.next().end(.goOn)
    try await holds.next().end(.goOn)
    let outcome = try await task.value
    #expect(outcome.bytes == Array(OriginServer.picture(3_000_000)))
    #expect(origin.requests.count == 2)
  }
}
