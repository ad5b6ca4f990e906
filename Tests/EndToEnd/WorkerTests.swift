import Files
import Foundation
import Glibc
import Media
import Origin
import TestSupport
import Testing

/// The main job with the real programs, over an origin on loopback.
@Suite(.timeLimit(.minutes(15))) struct WorkerTests {
  @Test(
    "A picture of each format becomes a complete manifest with an upright picture",
    arguments: [
      ("jpeg/orientation-6.jpg", "public.jpeg"), ("heic/grid.heic", "public.jpeg"),
      ("png/rgba-8.png", "public.png"), ("webp/large.webp", "public.jpeg"),
      ("avif/ten-bit.avif", "public.jpeg"), ("gif/still.gif", "public.jpeg"),
      ("mismatched/webp.jpg", "public.jpeg"), ("jpeg/photograph", "public.jpeg"),
    ])
  func formats(name: String, type: String) async throws {
    let site = try JobSite.make()
    try await site.submit("job", image: "/\(name)")
    #expect(try await site.drain().ending == .exited(0))
    let manifest = try site.manifest("job")
    #expect(manifest.content.status == "complete", "\(manifest.codes)")
    let rendition = try manifest.rendition()
    #expect(rendition.typeIdentifier == type)
    #expect(rendition.file.hasSuffix(type == "public.png" ? ".png" : ".jpg"))
    let picture = try await PixelMap.decode(manifest.path(rendition))
    let sample = try #require(Samples.all.first { $0.name == name })
    let size = try #require(sample.size)
    #expect(picture.width == rendition.width && picture.height == rendition.height)
    #expect((picture.width > picture.height) == (size.width > size.height))
    #expect(manifest.content.attachments.first?.source.width == size.width)
    let bytes = try FileBytes.read(manifest.path(rendition))
    #expect(bytes.count == rendition.bytes)
    let sum = try await Command.tool("sha256sum", [manifest.path(rendition)]).run().text
    #expect(sum.hasPrefix(rendition.sha256))
  }

  @Test("Log records of JSON have fields of their own, with all stages where they are asked for")
  func logFields() async throws {
    let site = try JobSite.make()
    try await site.submit("job", image: "/jpeg/baseline.jpg?token=secret&cache=max-age%3D60")
    try await site.submit("late", image: nil, more: ["deadline": "2020-01-01T00:00:00Z"])
    try await site.submit("slow", image: "/jpeg/missing.jpg?delay=50")
    let outcome = try await site.drain(["--log-format", "json", "--log-level", "debug"])
    let records = try outcome.errorText.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    func record(_ job: String, _ message: String) throws -> [String: Any] {
      try #require(
        records.first { $0["job"] as? String == job && $0["message"] as? String == message },
        "\(message): \(outcome.errorText)")
    }
    let complete = try record("job", "complete")
    #expect(complete["rung"] as? [String] == ["full"])
    #expect((complete["problems"] as? [String])?.isEmpty == true)
    #expect(complete["margin_ms"] is Int && complete["ms"] is Int)
    #expect(complete["generation"] as? Int == 1)
    #expect(try record("late", "expired")["margin_ms"] == nil)
    let ended = try record("job", "download ended")
    #expect(ended["status"] as? Int == 200 && (ended["bytes"] as? Int ?? 0) > 0)
    #expect(try record("job", "fetched")["cache"] as? String == "miss")
    #expect(try record("job", "decode ended")["ms"] is Int)
    #expect(try record("slow", "download failed")["code"] as? String == "httpStatus")
    #expect(!outcome.errorText.contains("secret"))
    #expect(records.last?["message"] as? String == "the worker has ended")
    let manifest = try FileBytes.read(site.root.path(of: "jobs/outbox/slow/manifest.json"))
    let content = try JSONSerialization.jsonObject(with: Data(manifest)) as? [String: Any]
    let times = (content?["timing"] as? [String: Any])?["milliseconds"] as? [String: Any]
    #expect((times?["download"] as? Int ?? 0) >= 50)
  }

  @Test(
    "What cannot be had is text with its reason, and the job is done all the same",
    arguments: [
      ("/other/page.html", "notMedia"), ("/other/drawn.bmp", "unsupportedFormat"),
      ("/hostile/declares-60000.png", "tooManyPixels"), ("/truncated/header-only.jpg", "corrupt"),
      ("/jpeg/missing.jpg", "httpStatus"),
      ("/jpeg/large.jpg?close=10", "truncatedBody"),
      ("http://10.0.0.1/x.jpg", "addressNotAllowed"), ("ftp://127.0.0.1/x.jpg", "unsupportedURL"),
      ("/jpeg/large.jpg?loop", "tooManyRedirects"),
    ])
  func refusals(address: String, code: String) async throws {
    let site = try JobSite.make()
    try await site.submit("job", image: address)
    #expect(try await site.drain().ending == .exited(0))
    let manifest = try site.manifest("job")
    #expect(manifest.content.status == "textOnly")
    #expect(manifest.codes.contains(code), "\(manifest.codes)")
    #expect(manifest.content.attachments.isEmpty)
    #expect(try site.names("active").isEmpty && site.names("incoming").isEmpty)
    #expect(try site.names("done").count == 1)
  }

  @Test("Bytes that are fewer than announced are partial, even if the picture in them is whole")
  func announcedMore() async throws {
    let site = try JobSite.make()
    try await site.submit("job", image: "/jpeg/large.jpg?length=+10&close=100")
    try await site.drain()
    let manifest = try site.manifest("job")
    #expect(manifest.content.status == "degraded")
    #expect(manifest.content.attachments.map(\.rung) == ["partial"])
    #expect(manifest.codes == ["truncatedBody"])
  }

  @Test("An alternate stands in, and is named") func alternate() async throws {
    let site = try JobSite.make()
    try await site.submit(
      "job", image: "/jpeg/missing.jpg",
      more: ["imageURLs": [site.origin.url("/png/rgba-8.png")]])
    try await site.drain()
    let manifest = try site.manifest("job")
    #expect(manifest.content.status == "degraded")
    #expect(manifest.content.attachments.first?.rung == "alternate")
    #expect(manifest.codes.contains("httpStatus"))
  }

  @Test("The first of imageURLs is what was wanted where there is no imageURL")
  func alternatesAlone() async throws {
    let site = try JobSite.make()
    let addresses = ["/jpeg/baseline.jpg", "/png/rgba-8.png"].map(site.origin.url)
    try await site.submit("job", image: nil, more: ["imageURLs": addresses])
    try await site.drain()
    #expect(try site.manifest("job").content.status == "complete")
    #expect(try site.manifest("job").content.attachments.first?.rung == "full")
  }

  @Test("A password in an address is neither sent nor shown") func password() async throws {
    let site = try JobSite.make()
    let address = site.origin.url("/jpeg/baseline.jpg").replacing("://", with: "://me:secret@")
    try await site.submit("job", image: address)
    let outcome = try await site.drain()
    let manifest = try FileBytes.read(site.root.path(of: "jobs/outbox/job/manifest.json"))
    #expect(!String(decoding: manifest, as: UTF8.self).contains("secret"))
    #expect(!outcome.errorText.contains("secret"))
    #expect(try site.manifest("job").codes.contains("unsupportedURL"))
    #expect(site.origin.requests.isEmpty)
  }

  @Test("A stale picture stands in for a failing origin, and the reason is told")
  func stale() async throws {
    let site = try JobSite.make()
    let address = "/jpeg/baseline.jpg?cache=max-age%3D0"
    try await site.submit("first", image: address)
    try await site.drain()
    site.origin.stop()
    try await site.submit("second", image: address)
    try await site.drain()
    let manifest = try site.manifest("second").content
    #expect(manifest.status == "degraded")
    #expect(manifest.attachments.first?.rung == "stale")
    #expect(manifest.problems.map(\.code) == ["connectFailure"])
  }

  @Test("The cache's own credentials must not be readable by others") func credentials()
    async throws
  {
    let site = try JobSite.make()
    let path = try site.root.write("machine h password p\n", to: "cache/credentials.netrc")
    #expect(unsafe chmod(path, 0o644) == 0)
    let refused = try await site.drain()
    #expect(refused.ending == .exited(3))
    #expect(refused.errorText.contains("credentials.netrc"))
    #expect(unsafe chmod(path, 0o600) == 0)
    #expect(try await site.drain().ending == .exited(0))
  }

  @Test("A fresh picture is used again without asking the origin") func cacheHit() async throws {
    let site = try JobSite.make()
    let address = "/jpeg/large.jpg?cache=max-age%3D600"
    try await site.submit("first", image: address)
    try await site.drain()
    try await site.submit("second", image: address)
    try await site.drain()
    #expect(site.origin.requests.count == 1)
    let second = try site.manifest("second")
    #expect(second.content.attachments.first?.source.cache == "hit")
    #expect(second.content.status == "complete")
    let first = try site.manifest("first").rendition()
    #expect(try second.rendition().sha256 == first.sha256)
  }

  @Test("A consumer may delete its file: the cache still has the picture")
  func consumerDeletes() async throws {
    let site = try JobSite.make()
    let address = "/jpeg/large.jpg?cache=max-age%3D600"
    try await site.submit("first", image: address)
    try await site.drain()
    try FileManager.default.removeItem(atPath: site.root.path(of: "jobs/outbox/first"))
    try await site.submit("second", image: address)
    try await site.drain()
    let manifest = try site.manifest("second")
    _ = try await PixelMap.decode(manifest.path(try manifest.rendition()))
    #expect(site.origin.requests.count == 1)
  }

  @Test("The same id again is the next generation") func generations() async throws {
    let site = try JobSite.make()
    for generation in 1...3 {
      try await site.submit("job", image: "/jpeg/baseline.jpg")
      try await site.drain()
      #expect(try site.manifest("job").content.generation == generation)
    }
    #expect(try site.names("outbox") == ["job"])
  }

  @Test("A data: address is a picture without network") func dataAddress() async throws {
    let site = try JobSite.make()
    let bytes = try FileBytes.read(Project.path("media-samples/jpeg/baseline.jpg"))
    try await site.submit(
      "job", image: "data:image/png;base64," + Data(bytes).base64EncodedString())
    try await site.drain()
    #expect(try site.manifest("job").content.status == "complete")
    #expect(try site.manifest("job").rendition().typeIdentifier == "public.jpeg")
    #expect(site.origin.requests.isEmpty)
  }

  @Test(
    "The manifest is there before the deadline though the origin stalls",
    arguments: [
      "/jpeg/large.jpg?silent", "/jpeg/large.jpg?stall=50", "/jpeg/large.jpg?rate=1000",
      "/jpeg/large.jpg?headerRate=1",
    ])
  func stalls(address: String) async throws {
    let site = try JobSite.make()
    try await site.submit("job", image: address, more: ["ttlSeconds": 6])
    try await site.drain()
    let manifest = try site.manifest("job").content
    #expect(manifest.status == "textOnly")
    #expect(manifest.problems.map(\.code).contains("downloadTimeout"))
    #expect(manifest.timing.finished < manifest.timing.deadline)
  }

  @Test("An expired job costs no request") func expired() async throws {
    let site = try JobSite.make()
    try await site.submit(
      "job", image: "/jpeg/baseline.jpg", more: ["deadline": "2020-01-01T00:00:00Z"])
    try await site.drain()
    #expect(try site.manifest("job").content.status == "expired")
    #expect(site.origin.requests.isEmpty)
  }

  @Test("submit --wait prints the manifest and tells by its exit code what came of the job")
  func waiting() async throws {
    let site = try JobSite.make()
    let worker = try site.worker([]).start()
    let payload =
      #"{"id": "w", "title": "T", "imageURL": "\#(site.origin.url("/jpeg/baseline.jpg"))"}"#
    let good = try await Command.built(
      "wirephoto", ["submit", site.jobs, "-", "--wait"], input: Array(payload.utf8)
    ).run()
    #expect(good.ending == .exited(0), "\(good.errorText)")
    #expect(good.lines.first == "w")
    #expect(good.lines.last?.contains(#""status":"complete""#) == true)
    let bad = #"{"id": "x", "title": "T", "imageURL": "\#(site.origin.url("/other/page.html"))"}"#
    let text = try await Command.built(
      "wirephoto", ["submit", site.jobs, "-", "--wait"], input: Array(bad.utf8)
    ).run()
    #expect(text.ending == .exited(1))
    worker.send(SIGTERM)
    #expect(try await worker.finish(by: .after(.seconds(120))).ending == .exited(0))
    let none = try await Command.built(
      "wirephoto", ["submit", site.jobs, "-", "--wait", "--timeout", "300ms"],
      input: Array(payload.utf8)
    ).run()
    #expect(none.ending == .exited(4))
  }
}
