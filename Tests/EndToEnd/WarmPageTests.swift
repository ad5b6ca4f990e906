import Foundation
import Media
import Origin
import TestSupport
import Testing

/// Pages that `warm` has read, with the real programs: a job that has their address alone asks no more.
@Suite(.timeLimit(.minutes(15))) struct WarmPageTests {
  private static let secret = "nobody else's business"

  private func makeSite() throws -> WarmSite {
    try WarmSite.make(
      pictures: 1,
      [
        "page.html": """
        <title>Fish &amp; chips</title><meta property="og:site_name" content="The Plaice">
        <meta property="og:image" content="/0.jpg?cache=max-age%3D9000"><!-- \(Self.secret) -->
        """
      ])
  }

  /// What a job with a page's address gives.
  private func job(
    _ id: String, page: String, on site: borrowing WarmSite, _ more: [String] = []
  ) async throws -> ManifestFile.Content {
    let payload = site.site.root.path(of: "\(id).json")
    try Data(#"{"url": "\#(page)"}"#.utf8).write(to: URL(fileURLWithPath: payload))
    let outcome = try await Command.built("wirephoto", ["submit", site.site.jobs, payload]).run()
    #expect(outcome.ending == .exited(0))
    #expect(try await site.site.drain(more).ending == .exited(0))
    let content = try site.site.manifest(id).content
    #expect(content.status == "complete" && content.notification.title == "Fish & chips")
    #expect(content.notification.subtitle == "The Plaice")
    return content
  }

  /// The files under a folder of the cache that hold the page's text.
  private func holders(_ folder: String, _ site: borrowing WarmSite) -> [String] {
    let root = "\(site.site.cache)/\(folder)"
    let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return names.filter { name in
      let bytes = try? Data(contentsOf: URL(fileURLWithPath: "\(root)/\(name)"))
      return bytes?.range(of: Data(Self.secret.utf8)) != nil
    }
  }

  @Test(
    "Whatever led a warm-up to a page, jobs have it without a request, and no web server has it",
    arguments: ["page", "feed"])
  func jobAfterwards(source: String) async throws {
    let site = try makeSite()
    let page = site.url("/page.html?cache=max-age%3D9000")
    try site.folder.write(
      "<rss><channel><item><link>\(page)</link></item></channel></rss>", to: "feed")
    let summary = try await site.warm(source == "page" ? page : site.url("/feed"))
    #expect(summary.fetched == 1 && summary.failed == 0)
    let before = site.requests.count
    for id in ["first", "second"] {
      let content = try await job(id, page: page, on: site)
      #expect(content.attachments.first?.source.cache == "hit")
    }
    #expect(site.requests.count == before)
    #expect(holders("objects", site).isEmpty && holders("originals", site).count == 1)
  }

  @Test func `What a job has read costs a warm-up no request`() async throws {
    let site = try makeSite()
    let page = site.url("/page.html?cache=max-age%3D9000")
    _ = try await job("first", page: page, on: site)
    let before = site.requests.count
    let summary = try await site.warm(page)
    #expect(summary.documents.fresh == 1 && summary.fresh == 1 && summary.failed == 0)
    #expect(site.requests.count == before)
  }

  @Test func `A page that may not be kept is not, and one that must be confirmed is asked for so`()
    async throws
  {
    let site = try makeSite()
    let private_ = site.url("/page.html?cache=no-store")
    #expect(try await site.warm(private_).fetched == 1)
    #expect(holders("", site).isEmpty)
    _ = try await job("one", page: private_, on: site)
    #expect(site.counts["/page.html"] == 2 && holders("", site).isEmpty)

    let confirmed = site.url("/page.html?cache=no-cache&etag=%22a%22")
    #expect(try await site.warm(confirmed).failed == 0)
    _ = try await job("two", page: confirmed, on: site)
    #expect(site.counts["/page.html"] == 4)
    #expect(site.requests.last?.headers["if-none-match"] == "\"a\"")
  }

  @Test func `A job joins the download of a page that a warm-up has begun`() async throws {
    let site = try makeSite()
    let page = site.url("/page.html?delay=5000&cache=max-age%3D9000")
    try site.folder.write(
      "<rss><channel><item><link>\(page.replacing("&", with: "&amp;"))</link></item></channel></rss>",
      to: "feed")
    let running = try site.command([site.url("/feed")]).start()
    try await site.site.origin.waitForRequests(2)
    _ = try await job("job", page: page, on: site, ["--deadline", "60s"])
    #expect(try await running.finish(by: .after(.seconds(60))).ending == .exited(0))
    #expect(site.counts == ["/feed": 1, "/page.html": 1, "/0.jpg": 1])
  }

  /// When the cache says that a page came, or was confirmed.
  private func fetched(_ page: String, _ site: borrowing WarmSite) async throws -> String? {
    let outcome = try await Command.built(
      "wirephoto", ["cache", "list", "--cache", site.site.cache, "--json"]
    ).run()
    let listings = outcome.lines.compactMap {
      try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
    return listings.first { $0["url"] as? String == page }?["fetched"] as? String
  }

  @Test func `A page that a warm-up has confirmed is as fresh for jobs`() async throws {
    let site = try makeSite()
    let page = site.url("/page.html?cache=max-age%3D600&etag=%22a%22")
    #expect(try await site.warm(page).documents.read == 1)
    let first = try #require(try await fetched(page, site))
    // Within the horizon: asked for again, with conditions.
    #expect(try await site.warm("--refresh-before", "1h", page).documents.revalidated == 1)
    #expect(try #require(try await fetched(page, site)) > first)
    let before = site.requests.count
    _ = try await job("one", page: page, on: site)
    #expect(site.requests.count == before)
  }

  @Test func `A page that is purged is forgotten, and asked for again`() async throws {
    let site = try makeSite()
    let page = site.url("/page.html?cache=max-age%3D9000")
    _ = try await site.warm(page)
    let purge = try await Command.built(
      "wirephoto", ["cache", "purge", "--cache", site.site.cache, page]
    ).run()
    #expect(purge.ending == .exited(0), "\(purge.errorText)")
    #expect(holders("", site).isEmpty)
    _ = try await job("one", page: page, on: site)
    #expect(site.counts["/page.html"] == 2)
  }
}
