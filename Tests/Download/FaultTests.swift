import Download
import Files
import Media
import Origin
import Testing

@Suite("Origins that misbehave", .timeLimit(.minutes(15)))
struct FaultTests {
  private let origin: OriginServer
  private let fetch: Fetch

  init() throws {
    origin = try OriginServer()
    fetch = try Fetch(origin)
  }

  @Test(
    "A body that stops coming ends at the deadline",
    arguments: [
      "silent", "headerRate=1", "rate=10", "rate=1", "stall=0", "stall=10", "stall=50", "stall=90",
      "length=%2B10", "delay=5000", "chunked&rate=20",
    ])
  func stalls(_ query: String) async throws {
    let clock = ContinuousClock()
    let start = clock.now
    let result = try await fetch.run("/a?\(query)", within: .milliseconds(600)) { $0.retries = 0 }
    let time = clock.now - start
    guard query != "length=%2B10" else {
      #expect(result.failure == .truncatedBody(expected: 10_010, actual: 10_000))
      return
    }
    guard case .downloadTimeout(let received) = result.failure else {
      Issue.record("\(result.response)")
      return
    }
    #expect(received == result.bytes.count)
    #expect(result.bytes == Array(OriginServer.picture(10_000).prefix(received)))
    #expect(time < .seconds(60))
  }

  @Test(
    "What has arrived of a body that breaks off stays in the destination",
    arguments: [
      ("close=50", 5000), ("reset=50", 5000), ("close=90", 9000), ("length=%2B1", 10_000),
    ])
  func truncated(_ query: String, _ arrived: Int) async throws {
    let result = try await fetch.run("/a?\(query)") { $0.retries = 0 }
    let expected = query.hasPrefix("length") ? 10_001 : 10_000
    #expect(result.failure == .truncatedBody(expected: expected, actual: arrived))
    #expect(result.bytes == Array(OriginServer.picture(10_000).prefix(arrived)))
    #expect(origin.requests.count == 1)
  }

  @Test(
    "A connection that ends before the header is a transport failure",
    arguments: [
      "bare", "bare&size=0",
    ])
  func noHeader(_ query: String) async throws {
    guard case .connectFailure = try await fetch.run("/a?\(query)").failure else {
      Issue.record("not a connect failure")
      return
    }
    #expect(origin.requests.count == 2)
  }

  @Test("Bytes beyond the declared length are not taken")
  func shortLength() async throws {
    let result = try await fetch.run("/a?length=-100")
    #expect(try result.response.get().byteCount == 9900)
  }

  @Test(
    "Endless headers and endless interim answers are stopped",
    arguments: [
      "headers", "interim",
    ])
  func endlessHeaders(_ query: String) async throws {
    #expect(try await fetch.run("/a?\(query)").failure == .headersTooLarge(limit: 65_536))
  }

  @Test("A declared length over the limit is refused before a byte is taken")
  func declaredTooLarge() async throws {
    let result = try await fetch.run("/a?size=10001") { $0.byteLimit = 10_000 }
    #expect(result.failure == .downloadTooLarge(limit: 10_000, declared: 10_001))
    #expect(result.bytes.isEmpty)
    let absurd = try await fetch.run("/a?length=99999999999999999999999") { $0.retries = 0 }
    #expect(absurd.failure == .downloadTooLarge(limit: 50_000_000, declared: .max))
    #expect(try await fetch.run("/a?size=10000") { $0.byteLimit = 10_000 }.failure == nil)
  }

  @Test("Bytes are counted as they come")
  func actuallyTooLarge() async throws {
    let result = try await fetch.run("/a?endless") { $0.byteLimit = 100_000 }
    #expect(result.failure == .downloadTooLarge(limit: 100_000, declared: nil))
    #expect(result.bytes.count <= 100_000)
    let chunked = try await fetch.run("/a?chunked&size=100000") { $0.byteLimit = 100_000 }
    #expect(chunked.failure == nil)
  }

  @Test("A page longer than the limit is cut to it when that is asked for")
  func cut() async throws {
    for path in ["/a?size=50000", "/a?endless", "/a?bomb"] {
      let result = try await fetch.run(path) {
        $0.byteLimit = 30_000
        $0.overflow = .cut
        $0.allowsCompression = true
      }
      let response = try result.response.get()
      #expect(response.wasCut)
      #expect(response.byteCount == 30_000)
      #expect(result.bytes.count == 30_000)
    }
    let whole = try await fetch.run("/a?size=30000") {
      $0.byteLimit = 30_000
      $0.overflow = .cut
    }
    #expect(try !whole.response.get().wasCut)
  }

  @Test("A compressed body is counted after it is unpacked, asked for or not")
  func bomb() async throws {
    for isAsked in [true, false] {
      let result = try await fetch.run("/a?bomb") {
        $0.byteLimit = 1_000_000
        $0.allowsCompression = isAsked
      }
      #expect(result.failure == .downloadTooLarge(limit: 1_000_000, declared: nil))
      #expect(result.bytes.allSatisfy { $0 == 0 })
      let field = origin.requests.last?.headers["accept-encoding"]
      #expect(field == (isAsked ? "gzip, deflate" : nil))
    }
  }

  @Test(
    "Any status but 200 is a failure",
    arguments: [
      201, 202, 203, 204, 205, 206, 300, 305, 400, 401, 403, 404, 406, 410, 418, 451, 999,
    ])
  func status(_ status: Int) async throws {
    let result = try await fetch.run("/a?status=\(status)&size=3000")
    #expect(result.failure == .httpStatus(status, retryAfter: nil))
    #expect(result.bytes.isEmpty)
    #expect(origin.requests.count == 1)
  }

  @Test("A server's failure is tried once more", arguments: [429, 500, 502, 503, 504])
  func retry(_ status: Int) async throws {
    let result = try await fetch.run("/a?status=\(status)&fail=1")
    #expect(try result.response.get().retries == 1)
    #expect(result.bytes == OriginServer.picture(10_000))
    let twice = try await fetch.run("/b?status=\(status)&fail=2")
    #expect(twice.failure == .httpStatus(status, retryAfter: nil))
    #expect(origin.requests.count == 4)
  }

  @Test(
    "A broken transfer is tried once more, into an empty destination",
    arguments: [
      "close=70", "reset=70", "bare", "length=%2B1",
    ])
  func retryBroken(_ query: String) async throws {
    let result = try await fetch.run("/a?\(query)&fail=1")
    #expect(try result.response.get().retries == 1)
    #expect(result.bytes == OriginServer.picture(10_000))
  }

  @Test("What the first try brought stays when the second brings nothing")
  func keptBeginning() async throws {
    let origin = origin
    let fetch = fetch
    let task = Task { try await fetch.run("/a?close=50&rate=100000") }
    // The server is gone before the second try.
    while origin.requests.isEmpty { await Task.yield() }
    origin.stopListening()
    let result = try await task.value
    guard case .connectFailure = result.failure else {
      Issue.record("\(result.response)")
      return
    }
    #expect(result.bytes == Array(OriginServer.picture(10_000).prefix(5000)))
  }

  @Test("Retry-After is obeyed where it fits")
  func retryAfter() async throws {
    let clock = ContinuousClock()
    let start = clock.now
    let result = try await fetch.run("/a?status=429&fail=1&retryAfter=1")
    #expect(try result.response.get().retries == 1)
    #expect(clock.now - start >= .seconds(1))
    let late = try await fetch.run("/b?status=429&fail=1&retryAfter=100")
    #expect(late.failure == .httpStatus(429, retryAfter: .seconds(100)))
    #expect(origin.requests.count { $0.path == "/b" } == 1)
    let date = try await fetch.run(
      "/c?status=503&retryAfter=Fri,%2031%20Dec%202999%2023:59:59%20GMT")
    #expect(date.failure == .httpStatus(503, retryAfter: .seconds(86_400)))
  }

  @Test("A port where nobody listens is a connect failure")
  func refused() async throws {
    let url = origin.url("/a")
    origin.stop()
    guard case .connectFailure = try await fetch.run(url).failure else {
      Issue.record("not a connect failure")
      return
    }
  }

  @Test("A name that does not exist is a name failure")
  func unknownName() async throws {
    // RFC 6761 §6.4: never resolves; a machine without a name server gives the same failure.
    guard case .dnsFailure = try await fetch.run("http://a.invalid/x").failure else {
      Issue.record("not a name failure")
      return
    }
  }
}
