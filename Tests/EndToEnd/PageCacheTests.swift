import Foundation
import Origin
import TestSupport
import Testing

/// Pages are kept as their origin allows, like pictures.
@Suite(.timeLimit(.minutes(15))) struct PageCacheTests {
  private static let page = """
    <!doctype html><title>A title</title><meta property="og:site_name" content="The Gazette">
    <meta property="og:image" content="/0.jpg?cache=max-age%3D3600"><p>Text.
    """

  private static func put(_ site: borrowing JobSite, _ ids: [String], _ query: String) async throws
  {
    for id in ids {
      let payload = #"{"url": "\#(site.origin.url("/page.html?type=text/html&\(query)"))"}"#
      let file = try site.root.write(payload, to: "\(id).json")
      _ = try await Command.built("wirephoto", ["submit", site.jobs, file]).run()
    }
  }

  @Test func `Many jobs with one page ask for it once while it is fresh`() async throws {
    let warm = try WarmSite.make(pictures: 1, ["page.html": Self.page])
    let ids = (0..<20).map { "job\($0)" }
    try await Self.put(warm.site, ids, "cache=max-age%3D3600&delay=50")
    try await warm.site.drain(processes: 4)
    try await Self.put(warm.site, ["later"], "cache=max-age%3D3600&delay=50")
    try await warm.site.drain()
    for id in ids + ["later"] {
      let manifest = try warm.site.manifest(id).content
      #expect(manifest.status == "complete", "\(manifest.problems.map(\.code))")
      #expect(manifest.notification.title == "A title")
      #expect(manifest.notification.subtitle == "The Gazette")
    }
    #expect(warm.counts == ["/page.html": 1, "/0.jpg": 1])
  }

  @Test
  func `A page that is not fresh is asked for with its conditions, and stands in when it fails`()
    async throws
  {
    let warm = try WarmSite.make(pictures: 1, ["page.html": Self.page])
    for id in ["first", "second"] {
      try await Self.put(warm.site, [id], "cache=max-age%3D0&etag=%22a%22")
      try await warm.site.drain()
    }
    let pages = warm.requests.filter { $0.path == "/page.html" }
    #expect(pages.map { $0.headers["if-none-match"] } == [nil, "\"a\""])
    warm.site.origin.stop()
    try await Self.put(warm.site, ["third"], "cache=max-age%3D0&etag=%22a%22")
    try await warm.site.drain()
    let third = try warm.site.manifest("third").content
    #expect(third.status == "complete" && third.notification.title == "A title")
    #expect(third.problems.map(\.code) == ["connectFailure"])
  }

  @Test func `The same address as a picture is refused, and as a page still read`() async throws {
    let warm = try WarmSite.make(pictures: 1, ["page.html": Self.page])
    let address = warm.url("/page.html?type=text/html&cache=max-age%3D3600")
    try await warm.site.submit("both", image: address, more: ["url": address])
    try await warm.site.drain()
    let manifest = try warm.site.manifest("both")
    #expect(manifest.content.status == "degraded")
    #expect(manifest.content.attachments.first?.rung == "alternate")
    #expect(manifest.codes.contains("notMedia"))
    try await warm.site.submit("picture", image: address)
    try await warm.site.drain()
    #expect(try warm.site.manifest("picture").codes.contains("notMedia"))
  }

  @Test func `Purging an address forgets what warm-ups know of it`() async throws {
    let warm = try WarmSite.make(pictures: 1, ["page.html": Self.page])
    let address = warm.url("/page.html?type=text/html&cache=max-age%3D0&etag=%22a%22")
    _ = try await warm.warm(address)
    _ = try await warm.warm(address)
    let host = ["--host", "127.0.0.1"]
    for operands in [[address], host, ["--all"]] {
      let purge = try Command.built(
        "wirephoto", ["cache", "purge", "--cache", warm.site.cache] + operands)
      #expect(try await purge.run().ending == .exited(0))
      _ = try await warm.warm(address)
    }
    let pages = warm.requests.filter { $0.path == "/page.html" }
    #expect(pages.map { $0.headers["if-none-match"] } == [nil, "\"a\"", nil, nil, nil])
  }

  @Test func `Purging what is not known says so`() async throws {
    let site = try JobSite.make()
    try await site.submit("job", image: "/none.jpg")
    try await site.drain()
    let address = site.origin.url("/none.jpg")
    for (operands, code) in [
      ([address], 0), ([address], 1), (["--host", "none.example"], 1), (["--all"], 0),
    ] as [([String], Int32)] {
      let outcome = try await Command.built(
        "wirephoto", ["cache", "purge", "--cache", site.cache] + operands
      ).run()
      #expect(outcome.ending == .exited(code), "\(operands) \(outcome.errorText)")
      #expect(outcome.errorText.contains("not in the cache") == (code == 1))
    }
  }

  @Test func `A proxy that cannot be reached is not held against the address`() async throws {
    let site = try JobSite.make()
    let closed = try OriginServer()
    closed.stop()
    try await site.submit("first", image: "/jpeg/baseline.jpg")
    try await site.drain(["--proxy", closed.url("")])
    #expect(try site.manifest("first").codes.contains("connectFailure"))
    #expect(site.origin.requests.isEmpty)
    try await site.submit("second", image: "/jpeg/baseline.jpg")
    try await site.drain()
    #expect(try site.manifest("second").content.status == "complete")
  }

  @Test func `Who waited for a download takes it, though it is not fresh`() async throws {
    let site = try JobSite.make()
    try await site.submit(count: 40) { _ in "/jpeg/baseline.jpg?cache=max-age%3D0&delay=1000" }
    try await site.drain(processes: 2)
    #expect(try site.statuses(40) == ["complete": 40])
    #expect(site.origin.requests.count <= 8)
  }
}
