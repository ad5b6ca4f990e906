import Download
import TestSupport
import Testing

/// What operators may name as a proxy and as an authority.
@Suite(.timeLimit(.minutes(15))) struct NetworkOptionTests {
  @Test(arguments: [
    ("http://proxy.example:3128", true), ("https://me:s@cret@10.0.0.1:22/", true),
    ("HTTP://[::1]:8080", true), ("http://proxy", true), ("nix", false), ("proxy:3128", true),
    ("proxy:", false), ("proxy:x", false),
    ("http://", false), ("http://h:0/", false), ("http://h:99999", false), ("http://h/path", false),
    ("http://h/?q", false), ("socks5://h:1080", false), ("http://a b/", false),
  ])
  func `A proxy is an http or https address of a host`(text: String, isUsable: Bool) {
    #expect(ProxyAddress.isUsable(text) == isUsable)
  }

  @Test func `An authority is a PEM file with a certificate at least`() async throws {
    let folder = try TemporaryDirectory()
    let made = try await Command.tool(
      "openssl",
      [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=A", "-days", "2", "-keyout",
        folder.path(of: "key.pem"), "-out", folder.path(of: "ca.pem"),
      ]
    ).run()
    try #require(made.ending == .exited(0))
    let certificate = try folder.read("ca.pem")
    let key = try folder.read("key.pem")
    #expect(AuthorityFile.isUsable(certificate))
    #expect(AuthorityFile.isUsable(Array("# An authority\r\n".utf8) + certificate + certificate))
    #expect(AuthorityFile.isUsable(key + certificate))
    #expect(!AuthorityFile.isUsable(key))
    #expect(!AuthorityFile.isUsable([]))
    #expect(!AuthorityFile.isUsable(Array(certificate.dropLast(40))))
    let junk = "-----BEGIN CERTIFICATE-----\nanVuaw==\n-----END CERTIFICATE-----\n"
    #expect(!AuthorityFile.isUsable(Array(junk.utf8)))
  }
}
