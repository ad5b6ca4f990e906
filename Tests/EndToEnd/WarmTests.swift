import Foundation
import Glibc
import Media
import Origin
import TestSupport
import Testing

/// `warm` with the real program, an origin on loopback and a cache on disk.
@Suite(.timeLimit(.minutes(15))) struct WarmTests {
  private func lines(_ count: Int, _ query: String, of site: borrowing WarmSite) -> String {
    (0..<count).map { site.url("/\($0).jpg?\(query)") }.joined(separator: "\n")
  }

  private func sitemap(_ urls: [String]) -> String {
    "<urlset>\(urls.map { "<url><loc>\($0)</loc></url>" }.joined())</urlset>"
  }

  @Test func `A job that comes after needs no request, and no decoder`() async throws {
    let site = try WarmSite.make(pictures: 1)
    let url = site.url("/0.jpg?cache=max-age%3D600")
    #expect(try await site.warm(url).fetched == 1)
    #expect(site.requests.count == 1)
    try await site.site.submit("job", image: url)
    // No original: a decode would have to ask again.
    let originals = site.site.root.path(of: "cache/originals")
    try FileManager.default.removeItem(atPath: originals)
    try FileManager.default.createDirectory(atPath: originals, withIntermediateDirectories: true)
    try await site.site.drain()
    let content = try site.site.manifest("job").content
    #expect(content.status == "complete")
    #expect(content.attachments.first?.source.cache == "hit")
    #expect(site.requests.count == 1)
  }

  @Test func `What is fresh costs no request, pages and feeds included`() async throws {
    let site = try WarmSite.make(
      pictures: 2,
      [
        "page.html":
          #"<title>T</title><meta property="og:image" content="/0.jpg?cache=max-age%3D9000">"#
      ])
    try site.folder.write(
      """
      <rss><channel><item><link>/page.html?cache=max-age%3D9000</link>
      <enclosure type="image/jpeg" url="/1.jpg?cache=max-age%3D9000"/></item></channel></rss>
      """, to: "feed")
    let first = try await site.warm(site.url("/feed?cache=max-age%3D9000"))
    #expect(first.fetched == 2 && first.documents.read == 2 && first.failed == 0)
    let second = try await site.warm(site.url("/feed?cache=max-age%3D9000"))
    #expect(second.fresh == 2 && second.documents.fresh == 2)
    #expect(site.counts == ["/feed": 1, "/page.html": 1, "/0.jpg": 1, "/1.jpg": 1])
  }

  @Test func `An unchanged origin is asked only with conditions`() async throws {
    let site = try WarmSite.make(
      pictures: 1,
      ["page.html": #"<title>T</title><meta property="og:image" content="/0.jpg?etag=%22a%22">"#])
    try site.folder.write(
      sitemap([site.url("/page.html?etag=%22b%22")]), to: "map")
    let source = site.url("/map?modified=Sun,%2006%20Nov%201994%2008:49:37%20GMT&cache=no-cache")
    #expect(try await site.warm(source).fetched == 1)
    let again = try await site.warm(source)
    #expect(again.revalidated == 1 && again.documents.revalidated == 2)
    let later = site.requests.dropFirst(3)
    #expect(later.count == 3)
    for request in later {
      #expect(
        request.headers["if-none-match"] != nil || request.headers["if-modified-since"] != nil)
    }
  }

  @Test func `What stops being fresh within the horizon is refreshed, without being named`()
    async throws
  {
    let site = try WarmSite.make(pictures: 1)
    let url = site.url("/0.jpg?etag=%22a%22&cache=max-age%3D600")
    _ = try await site.warm(url)
    #expect(try await site.warm("--refresh-before", "5m").revalidated == 0)
    #expect(site.requests.count == 1)
    #expect(try await site.warm("--refresh-before", "1h").revalidated == 1)
    #expect(site.requests.last?.headers["if-none-match"] == "\"a\"")
  }

  @Test func `A source that is to stay fresh as well is counted once`() async throws {
    let site = try WarmSite.make(pictures: 2)
    let urls = (0..<2).map { site.url("/\($0).jpg?etag=%22a%22&cache=max-age%3D600") }
    #expect(try await site.warm(urls[0], urls[1]).fetched == 2)
    // Within the horizon, so that both are refreshed; one is named, too.
    let again = try await site.warm("--refresh-before", "1h", urls[0])
    #expect(again.revalidated == 2 && again.fresh == 0 && again.fetched == 0, "\(again)")
  }

  @Test func `A file that is not there is told by its name, with exit code 1`() async throws {
    let site = try WarmSite.make(pictures: 1)
    let missing = site.site.root.path(of: "nowhere.txt")
    let url = site.url("/0.jpg?cache=max-age%3D600")
    let outcome = try await site.command([missing, site.site.root.path, url]).run()
    #expect(outcome.ending == .exited(1))
    let summary = try JSONDecoder().decode(WarmSummary.self, from: Data(outcome.output))
    #expect(summary.fetched == 1 && summary.unreadable == 2 && summary.failed == 0)
    #expect(outcome.errorText.contains("\(missing): cannot be read: No such file or directory\n"))
    #expect(!outcome.errorText.contains("unreadablePayload"))
  }

  @Test func `A second run at once says so and does nothing`() async throws {
    let site = try WarmSite.make(pictures: 1)
    let url = site.url("/0.jpg?delay=60000&cache=max-age%3D600")
    let first = try site.command([url]).start()
    try await site.site.origin.waitForRequests(1)
    let second = try await site.warm(url)
    #expect(second.status == "busy" && second.fetched == 0)
    first.send(SIGKILL)
    _ = try await first.finish(by: .after(.seconds(60)))
    #expect(site.requests.count == 1)
  }

  @Test func `Killed and run again it goes on where it stopped`() async throws {
    let site = try WarmSite.make(pictures: 40)
    try site.folder.write(
      "<urlset xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'>"
        + (0..<40).map {
          // The first are asked for last: they keep the run from ending before it is killed.
          let query = $0 < 2 ? "silent&fail=1" : "delay=5"
          return
            "<url><image:image><image:loc>\(site.url("/\($0).jpg?\(query)"))</image:loc></image:image></url>"
        }
        .joined() + "</urlset>", to: "map")
    let running = try site.command([site.url("/map")]).start()
    try await site.site.origin.waitForRequests(41)
    running.send(SIGKILL)
    _ = try await running.finish(by: .after(.seconds(60)))
    let rest = try await site.warm(site.url("/map"))
    #expect(rest.status == "done")
    #expect(rest.resumed >= 35)
    let counts = site.counts
    #expect(counts["/map"] == 1)
    #expect(counts.count == 41)
    // Only what was in flight, two at a time, may be asked for twice.
    #expect(counts.values.reduce(0, +) <= 41 + 2)
  }

  @Test func `One host is asked by two at once, and by no more`() async throws {
    let site = try WarmSite.make(pictures: 12)
    let summary = try await site.warm("-", input: lines(12, "delay=50", of: site))
    #expect(summary.fetched == 12)
    #expect(site.site.origin.mostAtOnce == 2)
  }

  @Test func `A host that asks to wait is left alone until then, others go on`() async throws {
    let site = try WarmSite.make(pictures: 3)
    let other = try OriginServer(folder: site.folder.path, address: "127.0.0.2")
    let waiting = site.url("/0.jpg?status=429&fail=1&retryAfter=2")
    let list = [waiting, site.url("/1.jpg"), "http://127.0.0.2:\(other.port)/2.jpg"]
    let started = ContinuousClock.now
    let summary = try await site.warm(
      "--per-host", "1", "-", input: list.joined(separator: "\n"))
    #expect(summary.fetched == 3 && summary.failed == 0)
    #expect(started.duration(to: .now) >= .seconds(2))
    #expect(site.counts == ["/0.jpg": 2, "/1.jpg": 1])
    #expect(other.requests.count == 1)
  }

  @Test func `A wait beyond the budget is left for the next run, which respects it`() async throws {
    let site = try WarmSite.make(pictures: 1)
    let url = site.url("/0.jpg?status=503&retryAfter=3600")
    let first = try await site.warm("--budget", "10s", url)
    #expect(first.left == 1 && first.failed == 0)
    #expect(try await site.warm("--budget", "10s", url).left == 1)
    #expect(site.requests.count == 1)
  }

  @Test func `A run ends before its budget, and the next does the rest`() async throws {
    let site = try WarmSite.make(pictures: 12)
    // The last are taken first; one does not answer, and holds up its host.
    let list = (0..<12).map { site.url("/\($0).jpg\($0 == 4 ? "?silent" : "")") }
      .joined(separator: "\n")
    let first = try await site.warm("--budget", "20s", "--per-host", "1", "-", input: list)
    #expect(first.status == "partial" && first.fetched <= 7, "\(first)")
    let second = try await site.warm("-", input: list)
    #expect(second.left == 0 && second.resumed == first.fetched, "\(second)")
    #expect(first.fetched + second.fetched == 11)
    // Its failure is remembered.
    #expect(second.failed == 1)
    // On a busy machine the budget may end in the middle of another.
    #expect((12...13).contains(site.requests.count))
  }

  @Test func `Failures that the cache remembers are not asked for again`() async throws {
    let site = try WarmSite.make(pictures: 0)
    let first = try await site.warm("--strict", site.url("/gone.jpg"), site.url("/page"), code: 1)
    #expect(first.failures == ["httpStatus": 2])
    #expect(try await site.warm(site.url("/gone.jpg"), site.url("/page")).failed == 2)
    #expect(site.requests.count == 2)
  }

  @Test func `Sources are recognised by their bytes`() async throws {
    let site = try WarmSite.make(pictures: 6)
    try site.folder.write(
      "# pictures\r\n\r\n\(site.url("/0.jpg"))\r\n  \(site.url("/1.jpg"))  \r\n", to: "list.xml")
    try site.folder.write(
      #"{"title":"T","imageURL":"\#(site.url("/2.jpg"))","profiles":["thumb"]}"#, to: "job.html")
    let zipped = try await Command.tool(
      "gzip", ["-c"],
      input: Array(
        "<urlset xmlns:i='http://www.google.com/schemas/sitemap-image/1.1'><url><i:image><i:loc>\(site.url("/3.jpg"))</i:loc></i:image></url></urlset>"
          .utf8)
    ).run().output
    try site.folder.write(zipped, to: "map.txt")
    try site.folder.write(try FileBytes.read(site.folder.path(of: "4.jpg")), to: "picture")
    try site.folder.write(
      "<sitemapindex><sitemap><loc>\(site.url("/map.txt"))</loc></sitemap></sitemapindex>",
      to: "index")
    let summary = try await site.warm(
      site.folder.path(of: "list.xml"), site.folder.path(of: "job.html"), site.url("/index"),
      site.url("/picture"), site.url("/list.xml"), "-", input: site.url("/5.jpg"))
    #expect(summary.failed == 0)
    #expect(summary.fetched == 6)
    #expect(summary.documents.read == 3)
    try await site.site.submit("t", image: site.url("/2.jpg"), more: ["profiles": ["thumb"]])
    #expect((0..<6).filter { $0 != 4 }.allSatisfy { site.counts["/\($0).jpg"] == 1 })
  }

  @Test func `A payload's sound and film are warmed, and cost its job no request`() async throws {
    let site = try WarmSite.make(pictures: 1)
    for sample in ["audio/cover.mp3", "video/h264.mp4"] {
      let name = try #require(sample.split(separator: "/").last)
      try site.folder.write(
        try FileBytes.read(Project.path("media-samples/\(sample)")), to: String(name))
    }
    let addresses = ["/cover.mp3", "/h264.mp4"].map { site.url($0 + "?cache=max-age%3D36000") }
    let picture = site.url("/0.jpg?cache=max-age%3D36000")
    let payload = try JSONSerialization.data(
      withJSONObject: ["title": "T", "imageURL": picture, "media": addresses])
    let summary = try await site.warm("-", input: String(decoding: payload, as: UTF8.self))
    #expect(summary.fetched == 3 && summary.failed == 0)
    #expect(site.requests.count == 3)
    try await site.site.submit("job", image: picture, more: ["media": addresses])
    try await site.site.drain()
    let manifest = try FileBytes.read("\(site.site.jobs)/outbox/job/manifest.json")
    let text = String(decoding: manifest, as: UTF8.self)
    #expect(text.contains(#""status": "complete""#))
    #expect(text.split(separator: #""cache": "hit""#).count == 4)
    #expect(site.requests.count == 3)
    // Without a picture the page is left alone, as the job leaves it.
    let only = #"{"url":"\#(site.url("/page"))","media":["\#(addresses[0])"]}"#
    #expect(try await site.warm("-", input: only).fresh == 1)
    #expect(site.requests.count == 3)
  }

  @Test func `A bad line is told by its file and number`() async throws {
    let site = try WarmSite.make(pictures: 1)
    let list = "# a list\r\n\r\n\(site.url("/0.jpg"))\r\nhttp://127.0.0.1:22/x\r\nnonsense\n"
    let path = try site.folder.write(list, to: "list.txt")
    let outcome = try await site.command([path]).run(limit: .seconds(120))
    #expect(outcome.errorText.contains("list.txt: line 4: port 22 is refused"))
    #expect(outcome.errorText.contains("list.txt: line 5: no http"), "\(outcome.errorText)")
  }

  @Test func `A film or sound named as a source is warmed as a job's picture is`() async throws {
    let site = try WarmSite.make(pictures: 0)
    for (sample, name) in [("video/h264.mov", "film.mov"), ("audio/plain.mp3", "sound")] {
      try site.folder.write(
        try FileBytes.read(Project.path("media-samples/\(sample)")), to: name)
    }
    let addresses = ["/film.mov", "/sound"].map { site.url($0 + "?cache=max-age%3D36000") }
    let summary = try await site.warm(addresses[0], addresses[1])
    #expect(summary.fetched == 2 && summary.failed == 0, "\(summary)")
    let requests = site.requests.count
    #expect(try await site.warm(addresses[0], addresses[1]).fresh == 2)
    try await site.site.submit("film", image: addresses[0])
    try await site.site.submit("sound", image: addresses[1])
    try await site.site.drain()
    for job in ["film", "sound"] {
      let manifest = try FileBytes.read("\(site.site.jobs)/outbox/\(job)/manifest.json")
      #expect(String(decoding: manifest, as: UTF8.self).contains(#""cache": "hit""#))
    }
    #expect(site.requests.count == requests)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `A signal ends a run soon, with its summary, and the next goes on`(signal: Int32)
    async throws
  {
    let site = try WarmSite.make(pictures: 5)
    let list = lines(4, "cache=max-age%3D36000", of: site)
    // The first is asked for last.
    let slow = site.url("/4.jpg?silent&fail=1&cache=max-age%3D36000")
    let source = try site.folder.write("\(slow)\n\(list)", to: "list")
    let running = try site.command(["--per-host", "1", source]).start()
    try await site.site.origin.waitForRequests(5)
    running.send(signal)
    // The silent origin would keep it for half a minute.
    let outcome = try await running.finish(by: .after(.seconds(25)))
    #expect(outcome.ending == .exited(0), "\(outcome.errorText)")
    let first = try JSONDecoder().decode(WarmSummary.self, from: Data(outcome.output))
    #expect(first.status == "partial" && first.failed == 0)
    #expect(first.fetched == 4 && first.left == 1)
    let second = try await site.warm(source)
    #expect(second.resumed == 4 && second.fetched == 1 && second.left == 0)
    #expect(site.requests.count == 6)
  }

  @Test func `A job joins the download that a warm-up has begun`() async throws {
    let site = try WarmSite.make(pictures: 1)
    let url = site.url("/0.jpg?delay=5000&cache=max-age%3D36000")
    let running = try site.command([url]).start()
    try await site.site.origin.waitForRequests(1)
    try await site.site.submit("job", image: url)
    try await site.site.drain(["--deadline", "60s"])
    let content = try site.site.manifest("job").content
    #expect(content.status == "complete")
    // On a busy machine the job may come when the download has just ended.
    #expect(["coalesced", "hit"].contains(content.attachments.first?.source.cache))
    #expect(try await running.finish(by: .after(.seconds(60))).ending == .exited(0))
    #expect(site.requests.count == 1)
  }

  @Test func `Jobs are not held back by what a warm-up leaves a host alone for`() async throws {
    let site = try WarmSite.make(pictures: 3)
    let silent = site.url("/0.jpg?silent&fail=1&cache=max-age%3D36000")
    let running = try site.command(["--per-host", "1", silent]).start()
    try await site.site.origin.waitForRequests(1)
    // Its one connection to the host is taken.
    try await site.site.submit("beside", image: site.url("/1.jpg"))
    try await site.site.drain(["--deadline", "20s"])
    #expect(try site.site.manifest("beside").content.status == "complete")
    running.send(SIGINT)
    _ = try await running.finish(by: .after(.seconds(25)))
    // The host asks warm-ups to wait for an hour.
    let busy = site.url("/2.jpg?status=503&retryAfter=3600&fail=1")
    #expect(try await site.warm("--budget", "10s", busy).left == 1)
    try await site.site.submit("later", image: busy)
    try await site.site.drain(["--deadline", "20s"])
    #expect(try site.site.manifest("later").content.status == "complete")
  }

  @Test func `Indexes that name themselves end, and entities are not expanded`() async throws {
    let site = try WarmSite.make(pictures: 1)
    try site.folder.write(
      "<sitemapindex><sitemap><loc>\(site.url("/b"))</loc></sitemap><sitemap><loc>\(site.url("/a"))</loc></sitemap></sitemapindex>",
      to: "a")
    try site.folder.write(
      "<sitemapindex><sitemap><loc>\(site.url("/a"))</loc></sitemap><sitemap><loc>\(site.url("/bomb"))</loc></sitemap></sitemapindex>",
      to: "b")
    let entities = (1..<10).map { level in
      "<!ENTITY l\(level) \"\(String(repeating: "&l\(level - 1);", count: 10))\">"
    }
    try site.folder.write(
      """
      <!DOCTYPE rss [<!ENTITY l0 "lol">\(entities.joined())]><rss><channel><item>
      <enclosure url="\(site.url("/0.jpg"))"/><guid isPermaLink="false">&l9;</guid></item></channel></rss>
      """, to: "bomb")
    let summary = try await site.warm(site.url("/a"))
    #expect(summary.failed == 0 && summary.fetched == 1)
    #expect(summary.documents.read == 4)
    #expect(site.counts["/b"] == 1 && site.counts["/bomb"] == 1)
  }

  @Test func `Wrong usage is 2, a cache that cannot be used is 3`() async throws {
    let missing = try await Command.built("wirephoto", ["warm", "http://127.0.0.1/"]).run()
    #expect(missing.ending == .exited(2) && missing.errorText.contains("--cache"))
    let bad = try await Command.built(
      "wirephoto", ["warm", "--cache", "/tmp", "--per-host", "0"]
    ).run()
    #expect(bad.ending == .exited(2) && bad.errorText.contains("--per-host"))
    let nowhere = try await Command.built(
      "wirephoto", ["warm", "--cache", "/proc/nowhere", "http://127.0.0.1/"]
    ).run()
    #expect(nowhere.ending == .exited(3))
  }
}
