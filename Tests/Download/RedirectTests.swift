import Download
import Files
import Media
import Origin
import Testing

@Suite("Redirects and refused addresses", .timeLimit(.minutes(15)))
struct RedirectTests {
  private let origin: OriginServer
  private let fetch: Fetch

  init() throws {
    origin = try OriginServer()
    fetch = try Fetch(origin)
  }

  @Test("Five redirects are followed")
  func five() async throws {
    let result = try await fetch.run("/a?hops=5")
    let response = try result.response.get()
    #expect(response.redirects.count == 5)
    #expect(response.finalAddress.description == origin.url("/a?hops=0"))
    #expect(result.bytes == OriginServer.picture(10_000))
    #expect(origin.connections.count == 1)
  }

  @Test("The sixth is refused, in a loop too", arguments: ["hops=6", "loop"])
  func six(_ query: String) async throws {
    #expect(try await fetch.run("/a?\(query)").failure == .tooManyRedirects(limit: 5))
    #expect(origin.requests.count == 6)
  }

  @Test("Each redirect status is followed", arguments: [301, 302, 303, 307, 308])
  func statuses(_ status: Int) async throws {
    let result = try await fetch.run("/a?status=\(status)&redirect=b%3Fx")
    #expect(try result.response.get().finalAddress.description == origin.url("/b?x"))
  }

  @Test("A redirect without an address is a status like any other")
  func noLocation() async throws {
    #expect(try await fetch.run("/a?status=302").failure == .httpStatus(302, retryAfter: nil))
  }

  @Test("A relative Location resolves against the address that answered")
  func relative() async throws {
    let result = try await fetch.run("/x/y?redirect=..%2Fz%2F%C3%A9")
    #expect(try result.response.get().finalAddress.description == origin.url("/z/%C3%A9"))
  }

  @Test(
    "A redirect to another scheme is refused",
    arguments: [
      "file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "javascript:1", "data:,x",
      "http://user:x@127.0.0.1/", "http://127.0.0.1:22/",
    ])
  func scheme(_ target: String) async throws {
    let result = try await fetch.run("/a?redirect=\(target)")
    guard case .unsupportedURL = result.failure else {
      Issue.record("\(result.response)")
      return
    }
  }

  @Test("The body of a redirect is not the body")
  func bodyOfRedirect() async throws {
    let result = try await fetch.run("/a?redirect=/b&size=5000")
    #expect(result.bytes == OriginServer.picture(10_000))
    let endless = try await fetch.run("/a?redirect=/b&endless")
    #expect(endless.bytes == OriginServer.picture(10_000))
    let stalled = try await fetch.run("/a?redirect=/b&size=5000&stall=10")
    #expect(stalled.bytes == OriginServer.picture(10_000))
  }

  @Test(
    "Loopback is refused in every spelling, without a connection",
    arguments: [
      "127.0.0.1", "127.1", "2130706433", "0x7f.1", "0177.1", "localhost", "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]", "[::1]", "0.0.0.0", "[::]", "[::127.0.0.1]", "１２７.0.0.1", "LOCALHOST",
    ])
  func loopback(_ host: String) async throws {
    let fetch = try Fetch(origin, Fetch.options(allowing: []))
    let result = try await fetch.run("http://\(host):\(origin.port)/a")
    guard case .addressNotAllowed = result.failure else {
      Issue.record("\(result.response)")
      return
    }
    #expect(origin.connections.isEmpty)
    #expect(origin.requests.isEmpty)
  }

  @Test("A redirect to a refused address is not connected to")
  func redirected() async throws {
    let inner = try OriginServer(address: "127.0.0.2")
    let fetch = try Fetch(origin, Fetch.options(allowing: ["127.0.0.1"]))
    let result = try await fetch.run("/a?redirect=http://127.0.0.2:\(inner.port)/secret")
    #expect(
      result.failure
        == .addressNotAllowed(address: "127.0.0.2", reason: "loopback (127.0.0.0/8)"))
    #expect(inner.connections.isEmpty)
    let address = try #require(WebAddress("http://a.example/x?token=1"))
    let problem = try #require(result.failure?.problem(url: address))
    #expect(problem.code == .addressNotAllowed)
    #expect(problem.message == "127.0.0.2 is refused: loopback (127.0.0.0/8)")
    #expect(problem.url == "http://a.example/x?[redacted]")
  }

  @Test(
    "Other private addresses are refused",
    arguments: [
      "10.0.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.1", "255.255.255.255",
      "[fd00::1]", "[fe80::1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::1]", "192.0.2.1",
    ])
  func privateAddresses(_ host: String) async throws {
    let result = try await fetch.run("http://\(host)/a")
    guard case .addressNotAllowed = result.failure else {
      Issue.record("\(result.response)")
      return
    }
  }

  @Test("A proxy checks addresses in our place")
  func proxy() async throws {
    var options = Fetch.options(allowing: [])
    options.proxy = origin.url("")
    let fetch = try Fetch(origin, options)
    let result = try await fetch.run("http://10.0.0.1/a")
    #expect(try result.response.get().byteCount == 10_000)
    #expect(origin.requests.first?.path == "http://10.0.0.1/a")
  }

  @Test("Proxies of the environment are ignored")
  func environmentProxy() async throws {
    await #expect(processExitsWith: .success) {
      let origin = try OriginServer()
      let other = try OriginServer()
      for name in ["http_proxy", "all_proxy", "ALL_PROXY"] { setVariable(name, other.url("")) }
      let result = try await Fetch(origin).run("/a")
      #expect(result.failure == nil)
      #expect(other.connections.isEmpty)
    }
  }

  @Test("Exceptions of the environment do not lead past a proxy")
  func environmentExceptions() async throws {
    await #expect(processExitsWith: .success) {
      let proxy = try OriginServer()
      let inside = try OriginServer()
      for name in ["no_proxy", "NO_PROXY"] { setVariable(name, "*") }
      var options = Fetch.options(allowing: [])
      options.proxy = proxy.url("")
      let result = try await Fetch(proxy, options).run(inside.url("/a"))
      #expect(result.failure == nil)
      #expect(proxy.requests.count == 1)
      #expect(inside.connections.isEmpty)
    }
  }
}
