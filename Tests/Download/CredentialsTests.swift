import Download
import Files
import Foundation
import Media
import Origin
import TestSupport
import Testing

@Suite("Credentials for private hosts", .timeLimit(.minutes(15)))
struct CredentialsTests {
  @Test("A netrc file is read as curl and ftp read it")
  func parsing() throws {
    let credentials = try Credentials(
      text: """
        # a comment
        machine a.example login anna password secret
        machine B.Example
          login "b with space"
          password "quo\\"te\\\\d"
        macdef init
        machine evil.example login x password y

        machine token.example password #abc123
        machine nothing.example login only
        machine a.example login second password other
        machine acc.example login l account a password p
        default login d password d
        """)
    #expect(credentials.entry(for: "a.example") == .init(login: "anna", password: "secret"))
    #expect(
      credentials.entry(for: "b.example") == .init(login: "b with space", password: "quo\"te\\d"))
    #expect(credentials.entry(for: "token.example") == .init(login: nil, password: "#abc123"))
    #expect(credentials.entry(for: "acc.example") == .init(login: "l", password: "p"))
    for host in ["evil.example", "nothing.example", "sub.a.example", "example", "c.example", ""] {
      #expect(credentials.entry(for: host) == nil, "\(host)")
    }
  }

  @Test(
    "A host is the same with the root's dot and without it",
    arguments: ["a.example", "A.Example."])
  func root(machine: String) throws {
    let credentials = try Credentials(text: "machine \(machine) login l password p")
    for host in ["a.example", "a.example.", "A.EXAMPLE."] {
      #expect(credentials.entry(for: host) == .init(login: "l", password: "p"), "\(host)")
    }
    for host in ["sub.a.example", "example.", "a.example..", "."] {
      #expect(credentials.entry(for: host) == nil, "\(host)")
    }
  }

  @Test(
    "What is no netrc text is refused with its line",
    arguments: [
      ("machine", 1), ("\nmachine a login", 2), ("hello", 1), ("machine a login \"open", 1),
      ("machine a login b\npassword c extra", 2),
    ])
  func malformed(_ text: String, _ line: Int) {
    #expect(throws: Credentials.Failure.malformed(line: line)) { try Credentials(text: text) }
  }

  @Test(
    "A file that others can read or the group can write is refused",
    arguments: [
      (0o600, true), (0o400, true), (0o640, true), (0o440, true), (0o644, false), (0o660, false),
      (0o620, false), (0o604, false), (0o602, false), (0o666, false),
    ])
  func permissions(_ mode: Int, _ isFine: Bool) throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("machine a.example login l password p\n", to: "netrc")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    if isFine {
      #expect(try Credentials(path: path).entry(for: "a.example") != nil)
    } else {
      #expect(throws: Credentials.Failure.exposed(path: path, mode: mode)) {
        try Credentials(path: path)
      }
    }
  }

  @Test("A missing file is the environment's fault")
  func missing() throws {
    let folder = try TemporaryDirectory()
    #expect(throws: Credentials.Failure.self) { try Credentials(path: folder.path(of: "none")) }
  }

  @Test("Secrets do not appear in descriptions")
  func secrecy() throws {
    let credentials = try Credentials(text: "machine a.example login anna password secret")
    let entry = try #require(credentials.entry(for: "a.example"))
    var dumped = "\(credentials) \(entry) \(String(reflecting: credentials))"
    dump(credentials, to: &dumped)
    dump(entry, to: &dumped)
    dump(DownloadOptions(userAgent: "x", credentials: credentials), to: &dumped)
    #expect(dumped.contains("a.example"))
    #expect(!dumped.contains("secret"))
    #expect(!dumped.contains("anna"))
  }

  private func fetch(_ origin: OriginServer, _ text: String) throws -> Fetch {
    var options = Fetch.options()
    options.credentials = try Credentials(text: text)
    return try Fetch(origin, options)
  }

  @Test("A name and password are sent as Basic, a password alone as a bearer token")
  func forms() async throws {
    let origin = try OriginServer()
    _ = try await fetch(origin, "machine 127.0.0.1 login anna password se:cret").run("/a")
    // RFC 7617: base64 of anna:se:cret.
    #expect(origin.requests.last?.headers["authorization"] == "Basic YW5uYTpzZTpjcmV0")
    _ = try await fetch(origin, "machine 127.0.0.1 password abc123").run("/a")
    #expect(origin.requests.last?.headers["authorization"] == "Bearer abc123")
    _ = try await fetch(origin, "machine a.example password abc123").run("/a")
    #expect(origin.requests.count == 3)
    #expect(origin.requests.last?.headers["authorization"] == nil)
  }

  @Test("A redirect carries them within the origin only")
  func redirects() async throws {
    let origin = try OriginServer()
    let other = try OriginServer()
    let fetch = try fetch(
      origin, "machine 127.0.0.1 password abc123 machine localhost password def")
    _ = try await fetch.run("/a?redirect=/b").response.get()
    #expect(origin.requests.map(\.path) == ["/a", "/b"])
    #expect(origin.requests.allSatisfy { $0.headers["authorization"] == "Bearer abc123" })
    _ = try await fetch.run("/a?redirect=\(other.url("/c"))").response.get()
    _ = try await fetch.run("/a?redirect=http://localhost:\(other.port)/c").response.get()
    #expect(other.requests.count == 2)
    #expect(other.requests.allSatisfy { $0.headers["authorization"] == nil })
  }

  @Test("Without TLS they stay at home unless the operator listed the address")
  func cleartext() async throws {
    let origin = try OriginServer()
    var options = Fetch.options()
    // A proxy sees what would go out to a public host.
    options.proxy = origin.url("")
    options.credentials = try Credentials(text: "machine a.example password abc123")
    _ = try await Fetch(origin, options).run("http://a.example/x").response.get()
    #expect(origin.requests.count == 1)
    #expect(origin.requests.first?.headers["authorization"] == nil)
  }
}
