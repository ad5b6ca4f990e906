import Download
import Files
import Media
import Origin
import TestSupport
import Testing

@Suite("Fetching over TLS", .timeLimit(.minutes(15)))
struct TLSTests {
  /// An authority and a certificate of 127.0.0.1 from it, made for one test.
  private struct Certificates: ~Copyable {
    let folder: TemporaryDirectory

    var authority: String { folder.path(of: "ca.pem") }
    var identity: OriginServer.Identity {
      .init(certificate: folder.path(of: "server.pem"), key: folder.path(of: "server.key"))
    }

    /// The corresponding commands are `openssl req` and `openssl x509`.
    static func make(
      address: String = "IP:127.0.0.1", days: String = "2"
    ) async throws -> Certificates {
      let certificates = Certificates(folder: try TemporaryDirectory())
      try await certificates.write(address: address, days: days)
      return certificates
    }

    private borrowing func write(address: String, days: String) async throws {
      let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
      try await run(
        ["req", "-x509"] + curve + [
          "-subj", "/CN=Test authority", "-days", "2", "-keyout", "ca.key", "-out", "ca.pem",
        ])
      try await run(
        ["req"] + curve + ["-subj", "/CN=Test", "-keyout", "server.key", "-out", "server.csr"])
      try folder.write("subjectAltName=\(address)\n", to: "extensions")
      try await run([
        "x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key",
        "-CAcreateserial", "-days", days, "-extfile", "extensions", "-out", "server.pem",
      ])
    }

    private borrowing func run(_ arguments: [String]) async throws {
      let files: Set = [
        "ca.key", "ca.pem", "server.key", "server.csr", "server.pem", "extensions",
      ]
      let folder = folder.path
      let outcome = try await Command.tool(
        "openssl", arguments.map { files.contains($0) ? "\(folder)/\($0)" : $0 }
      ).run()
      try #require(outcome.ending == .exited(0), "\(outcome.errorText)")
    }
  }

  private func options(trusting file: String? = nil) -> DownloadOptions {
    var options = Fetch.options()
    options.authorityFile = file
    return options
  }

  @Test("A private authority is accepted when it is named, and only then")
  func privateAuthority() async throws {
    let certificates = try await Certificates.make()
    let origin = try OriginServer(identity: certificates.identity)
    let trusting = try Fetch(origin, options(trusting: certificates.authority))
    let result = try await trusting.run("/a?size=300000")
    #expect(try result.response.get().timing.tls > .zero)
    #expect(result.bytes == OriginServer.picture(300_000))
    guard case .tlsFailure = try await Fetch(origin, options()).run("/a").failure else {
      Issue.record("an unknown authority was not refused")
      return
    }
    #expect(origin.requests.count == 1)
  }

  @Test("A certificate for another host is refused")
  func otherHost() async throws {
    let certificates = try await Certificates.make(address: "DNS:other.example")
    let origin = try OriginServer(identity: certificates.identity)
    let fetch = try Fetch(origin, options(trusting: certificates.authority))
    let result = try await fetch.run("/a")
    guard case .tlsFailure = result.failure else {
      Issue.record("\(result.response)")
      return
    }
    #expect(origin.requests.isEmpty)
  }

  @Test("An expired certificate is refused")
  func expired() async throws {
    let certificates = try await Certificates.make(days: "-1")
    let origin = try OriginServer(identity: certificates.identity)
    let fetch = try Fetch(origin, options(trusting: certificates.authority))
    guard case .tlsFailure = try await fetch.run("/a").failure else {
      Issue.record("an expired certificate was not refused")
      return
    }
  }

  @Test("A server that does not speak TLS is a TLS failure or a broken connection")
  func plainServer() async throws {
    let origin = try OriginServer()
    let result = try await Fetch(origin).run(
      "https://127.0.0.1:\(origin.port)/a", within: .seconds(1))
    #expect(result.failure == .downloadTimeout(received: 0))
    #expect(origin.requests.isEmpty)
  }

  @Test("A redirect from https to http is refused, from http to https it is followed")
  func downgrade() async throws {
    let certificates = try await Certificates.make()
    let secure = try OriginServer(identity: certificates.identity)
    let plain = try OriginServer()
    let fetch = try Fetch(secure, options(trusting: certificates.authority))
    let down = try await fetch.run("/a?redirect=\(plain.url("/b"))")
    #expect(down.failure == .unsupportedURL("redirect from https to http"))
    #expect(plain.connections.isEmpty)
    let up = try await fetch.run(plain.url("/a?redirect=\(secure.url("/b"))"))
    #expect(try up.response.get().finalAddress.description == secure.url("/b"))
  }

  @Test("A body that stalls under TLS ends at the deadline, one that breaks off is truncated")
  func faults() async throws {
    let certificates = try await Certificates.make()
    let origin = try OriginServer(identity: certificates.identity)
    let fetch = try Fetch(origin, options(trusting: certificates.authority))
    let stalled = try await fetch.run("/a?stall=50", within: .seconds(3))
    #expect(stalled.failure == .downloadTimeout(received: 5000))
    let closed = try await fetch.run("/a?close=50") { $0.retries = 0 }
    #expect(closed.failure == .truncatedBody(expected: 10_000, actual: 5000))
  }

  @Test("A transfer that is held under TLS takes the rest when it is to go on")
  func held() async throws {
    let certificates = try await Certificates.make()
    let origin = try OriginServer(identity: certificates.identity)
    let fetch = try Fetch(origin, options(trusting: certificates.authority))
    let holds = AsyncStream<TransferHold>.makeStream()
    let task = Task {
      try await fetch.run("/a?size=3000000") { request in
        request.judge = { _, _, hold in
          guard let hold else { return .goOn }
          holds.continuation.yield(hold)
          return .hold
        }
      }
    }
    var iterator = holds.stream.makeAsyncIterator()
    let hold = try #require(await iterator.next())
    #expect(try await fetch.run("/b?size=3000000").bytes.count == 3_000_000)
    hold.end(.goOn)
    #expect(try await task.value.bytes == Array(OriginServer.picture(3_000_000)))
  }
}
