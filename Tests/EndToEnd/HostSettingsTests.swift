import Foundation
import Glibc
import Origin
import TestSupport
import Testing

/// What settings.json lays down for single hosts.
@Suite(.timeLimit(.minutes(15))) struct HostSettingsTests {
  private static func site(_ hosts: String) throws -> JobSite {
    let site = try JobSite.make()
    try site.root.write(#"{"hosts": \#(hosts)}"#, to: "cache/settings.json")
    return site
  }

  @Test func `A host that is not allowed is not asked, by workers and warm-ups`() async throws {
    let site = try Self.site(#"{"*": {"allowed": false}}"#)
    try await site.submit("job", image: "/jpeg/baseline.jpg", more: ["url": site.origin.url("/p")])
    try await site.drain()
    #expect(try site.manifest("job").content.status == "textOnly")
    #expect(try site.manifest("job").codes.contains("addressNotAllowed"))
    let warm = try await Command.built(
      "wirephoto",
      [
        "warm", "--cache", site.cache, "--allow-address", "127.0.0.0/8", "--json",
        site.origin.url("/jpeg/baseline.jpg"),
      ]
    ).run()
    #expect(warm.text.contains("addressNotAllowed"))
    #expect(site.origin.requests.isEmpty)
  }

  @Test func `A redirect leads to no host that is not allowed`() async throws {
    let site = try Self.site(#"{"localhost": {"allowed": false}}"#)
    let target = "http%3A//localhost%3A\(site.origin.port)/jpeg/baseline.jpg"
    try await site.submit("job", image: "/x.jpg?redirect=\(target)")
    try await site.drain()
    #expect(try site.manifest("job").codes.contains("addressNotAllowed"))
    #expect(site.origin.requests.count == 1)
  }

  @Test(arguments: [
    (#"{"minFreshness": "1h"}"#, "cache=max-age%3D0", 1),
    (#"{"minFreshness": "1h"}"#, "cache=no-cache", 1),
    (#"{"minFreshness": "1h"}"#, "cache=no-store", 2),
    (#"{"maxFreshness": "0s"}"#, "cache=max-age%3D600", 2),
    (#"{"minFreshness": "1h", "maxFreshness": "2h"}"#, "cache=max-age%3D600", 1),
  ])
  func `Answers are fresh within the host's bounds`(
    rule: String, query: String, requests: Int
  ) async throws {
    let site = try Self.site(#"{"127.0.0.1": \#(rule)}"#)
    for id in ["first", "second"] {
      try await site.submit(id, image: "/jpeg/baseline.jpg?\(query)")
      try await site.drain()
      #expect(try site.manifest(id).content.status == "complete")
    }
    #expect(site.origin.requests.count == requests)
  }

  @Test func `A host is asked by as many at once as it is said to bear`() async throws {
    let site = try Self.site(#"{"127.0.0.1": {"maxConcurrency": 1}}"#)
    try await site.submit(count: 8) { "/jpeg/baseline.jpg?n=\($0)&delay=30" }
    try await site.drain()
    #expect(site.origin.requests.count == 8)
    #expect(site.origin.mostAtOnce == 1)
  }

  @Test func `A host's time ends before the job's`() async throws {
    let site = try Self.site(#"{"127.0.0.1": {"timeout": "300ms"}}"#)
    try await site.submit("job", image: "/jpeg/baseline.jpg?silent")
    try await site.drain(["--deadline", "50s"])
    let manifest = try site.manifest("job").content
    #expect(manifest.problems.first?.code == "downloadTimeout")
    #expect(manifest.timing.finished < manifest.timing.deadline)
    let outcome = try await site.drain(["--deadline", "50s"])
    #expect(outcome.ending == .exited(0))
  }

  @Test func `SIGHUP reads them again`() async throws {
    let site = try Self.site(#"{"*": {"allowed": false}}"#)
    let worker = try site.worker([]).start()
    try await site.submit("first", image: "/jpeg/baseline.jpg")
    try await site.waitForOutbox("first")
    try site.root.write("{}", to: "cache/settings.json")
    worker.send(SIGHUP)
    try await worker.waitForLog("settings read again")
    try await site.submit("second", image: "/jpeg/baseline.jpg")
    try await site.waitForOutbox("second")
    #expect(try site.manifest("second").content.status == "complete")
  }

  @Test func `A typo that SIGHUP brings leaves the rules in force`() async throws {
    let site = try Self.site(#"{"*": {"allowed": false}}"#)
    let worker = try site.worker([]).start()
    try await site.submit("first", image: "/jpeg/baseline.jpg")
    try await site.waitForOutbox("first")
    try site.root.write(#"{"host": {"*": {"allowed": true}}}"#, to: "cache/settings.json")
    worker.send(SIGHUP)
    try await worker.waitForLog("unknown key 'host'")
    try await site.submit("second", image: "/jpeg/baseline.jpg")
    try await site.waitForOutbox("second")
    #expect(try site.manifest("second").codes.contains("addressNotAllowed"))
  }

  @Test func `Settings that cannot be used end the worker with 3, and name the place`()
    async throws
  {
    let site = try Self.site(#"{"a/b": {}}"#)
    let outcome = try await site.drain()
    #expect(outcome.ending == .exited(3))
    #expect(outcome.errorText.contains("hosts.a/b"))
  }

  @Test(arguments: [0o620, 0o604, 0o644, 0o660])
  func `Credentials that others may read, or the group write, are refused`(
    mode: Int
  ) async throws {
    let site = try JobSite.make()
    let path = try site.root.write("machine h password secret\n", to: "cache/credentials.netrc")
    #expect(unsafe chmod(path, mode_t(mode)) == 0)
    let outcome = try await site.drain()
    #expect(outcome.ending == .exited(3))
    #expect(!outcome.errorText.contains("secret"))
  }

  @Test func `Credentials go to their host alone, and into no log`() async throws {
    let site = try JobSite.make()
    let path = try site.root.write(
      "machine 127.0.0.1 login me password secret\n", to: "cache/credentials.netrc")
    #expect(unsafe chmod(path, 0o600) == 0)
    let target = "http%3A//localhost%3A\(site.origin.port)/jpeg/baseline.jpg"
    try await site.submit("job", image: "/x.jpg?redirect=\(target)")
    let outcome = try await site.drain(["--log-level", "debug"])
    #expect(try site.manifest("job").content.status == "complete")
    let sent = site.origin.requests.map { $0.headers["authorization"] }
    #expect(sent == ["Basic \(Data("me:secret".utf8).base64EncodedString())", nil])
    #expect(!outcome.errorText.contains("secret"))
  }
}
