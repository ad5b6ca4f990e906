import Download
import Origin
import Testing

/// Connections that are kept for later requests, and then fail.
@Suite("Kept connections", .timeLimit(.minutes(15)))
struct KeptConnectionTests {
  private let origin: OriginServer
  private let fetch: Fetch

  init() throws {
    origin = try OriginServer()
    fetch = try Fetch(origin)
  }

  /// Makes six connections, and leaves them open.
  private func fill() async throws {
    for _ in 0..<100 where origin.openConnections < 6 {
      try await withThrowingTaskGroup { group in
        for _ in 0..<6 { group.addTask { _ = try await fetch.run("/good?delay=100").bytes } }
        try await group.waitForAll()
      }
    }
    try #require(origin.openConnections >= 6)
  }

  private func count(_ path: String) -> Int { origin.requests.count { $0.path == path } }

  @Test(
    "An origin that reads requests and closes without a word is asked three times at most",
    arguments: [(true, 1, 3), (true, 0, 2), (false, 1, 2), (false, 0, 1)])
  func dead(_ keepsSome: Bool, _ retries: Int, _ expected: Int) async throws {
    if keepsSome { try await fill() }
    let result = try await fetch.run("/dead?bare&size=0") { $0.retries = retries }
    guard case .connectFailure = result.failure else {
      Issue.record("\(result.response)")
      return
    }
    #expect(count("/dead") == expected)
  }

  @Test("A request that a kept connection lost is sent again at once, on a new one")
  func lost() async throws {
    try await fill()
    let connections = origin.connections.count
    let result = try await fetch.run("/lost?bare&size=0&fail=1") { $0.retries = 0 }
    #expect(result.failure == nil)
    #expect(count("/lost") == 2)
    #expect(origin.connections.count == connections + 1)
  }

  @Test("A retry after a status may use a kept connection, and loses no more by it")
  func status() async throws {
    try await fill()
    let connections = origin.connections.count
    let result = try await fetch.run("/busy?status=503&fail=1")
    #expect(result.bytes == OriginServer.picture(10_000))
    #expect(origin.connections.count == connections)
  }
}
