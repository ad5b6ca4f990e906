import Foundation
import Origin
import TestSupport
import Testing

/// Alternates that are tried while the time for them lasts.
@Suite(.timeLimit(.minutes(15))) struct AlternateTests {
  /// Long enough that three fifths of it are told from a quarter on a busy machine.
  private static let patience = 40

  private func seconds(_ manifest: ManifestFile) throws -> Double {
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let timing = manifest.content.timing
    return try format.parse(timing.finished).timeIntervalSince(format.parse(timing.arrived))
  }

  @Test(
    "A slow download does not use up the time: the next alternate is tried beside it",
    arguments: ["silent", "stall=10", "headerRate=1"])
  func slow(query: String) async throws {
    let site = try JobSite.make()
    try await site.submit(
      "job", image: "/jpeg/baseline.jpg?\(query)",
      more: ["imageURLs": [site.origin.url("/png/rgb-8.png")], "ttlSeconds": Self.patience])
    try await site.drain()
    let manifest = try site.manifest("job")
    #expect(manifest.content.status == "degraded")
    #expect(manifest.content.attachments.map(\.rung) == ["alternate"])
    #expect(manifest.content.attachments.first?.source.format == "png")
    #expect(manifest.codes == ["downloadTimeout"])
    // The share of the one download would have been 24 s.
    #expect(try seconds(manifest) < 20)
    #expect(site.origin.requests.map(\.path) == ["/jpeg/baseline.jpg", "/png/rgb-8.png"])
  }

  @Test("The alternate of a page is tried beside a slow picture of the payload")
  func page() async throws {
    let folder = try TemporaryDirectory()
    try folder.makeFolder("served")
    try folder.write(
      #"<html><head><meta property="og:image" content="/rgb-8.png"></head></html>"#,
      to: "served/page.html")
    try folder.write(
      try FileBytes.read(Project.path("media-samples/png/rgb-8.png")), to: "served/rgb-8.png")
    let site = try JobSite.make(serving: folder.path(of: "served"))
    try await site.submit(
      "job", image: "/slow.jpg?silent",
      more: ["url": site.origin.url("/page.html?type=text%2Fhtml"), "ttlSeconds": Self.patience])
    try await site.drain()
    let manifest = try site.manifest("job")
    #expect(manifest.content.attachments.map(\.rung) == ["alternate"], "\(manifest.codes)")
    #expect(try seconds(manifest) < 20)
  }

  @Test("A download that is slow and comes before the alternate is shown in full, asked for once")
  func slowButFirst() async throws {
    let site = try JobSite.make()
    try await site.submit(
      "job", image: "/jpeg/baseline.jpg?delay=5000",
      more: [
        "imageURLs": [site.origin.url("/png/rgb-8.png?silent")], "ttlSeconds": Self.patience,
      ])
    try await site.drain()
    let manifest = try site.manifest("job")
    #expect(manifest.content.status == "complete", "\(manifest.codes)")
    #expect(manifest.content.attachments.map(\.rung) == ["full"])
    #expect(manifest.codes.isEmpty)
    #expect(site.origin.requests.count { $0.path == "/jpeg/baseline.jpg" } == 1)
    #expect(site.origin.requests.contains { $0.path == "/png/rgb-8.png" })
  }

  @Test("An alternate is left alone while the picture comes as quickly as usual")
  func quick() async throws {
    let site = try JobSite.make()
    try await site.submit(
      "job", image: "/jpeg/baseline.jpg",
      more: ["imageURLs": [site.origin.url("/png/rgb-8.png")], "ttlSeconds": Self.patience])
    try await site.drain()
    #expect(try site.manifest("job").content.attachments.map(\.rung) == ["full"])
    #expect(site.origin.requests.map(\.path) == ["/jpeg/baseline.jpg"])
  }

  @Test("A stale copy is better than an alternate, which is then not asked for")
  func staleFirst() async throws {
    let site = try JobSite.make()
    let address = "/jpeg/baseline.jpg?good=1&cache=max-age%3D0&silent"
    try await site.submit("first", image: address)
    try await site.drain()
    try await site.submit(
      "job", image: address,
      more: ["imageURLs": [site.origin.url("/png/rgb-8.png")], "ttlSeconds": 6])
    try await site.drain()
    #expect(try site.manifest("job").content.attachments.map(\.rung) == ["stale"])
    #expect(!site.origin.requests.contains { $0.path == "/png/rgb-8.png" })
  }

  @Test("An alternate's stale copy is an alternate")
  func staleAlternate() async throws {
    let site = try JobSite.make()
    let address = site.origin.url("/png/rgb-8.png?good=1&cache=max-age%3D0&status=500")
    try await site.submit("first", image: address)
    try await site.drain()
    try await site.submit(
      "job", image: "/jpeg/baseline.jpg?status=404", more: ["imageURLs": [address]])
    try await site.drain()
    let attachment = try #require(try site.manifest("job").content.attachments.first)
    #expect(attachment.rung == "alternate")
    #expect(attachment.source.cache == "stale")
  }
}
