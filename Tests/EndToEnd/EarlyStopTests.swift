import Foundation
import Glibc
import Media
import Origin
import TestSupport
import Testing

/// Progressive pictures of which the job's sizes need but the beginning.
@Suite(.timeLimit(.minutes(15))) struct EarlyStopTests {
  /// 2400 × 1600 grainy pixels of which a box of 100 × 100 needs the first scans; two megabytes.
  fileprivate static func file(_ folder: borrowing TemporaryDirectory) async throws -> Int {
    try folder.makeFolder("served")
    let sample = Project.path("media-samples/jpeg/large.jpg")
    let map = try await Command.tool(
      "convert-im6.q16", [sample, "-seed", "7", "-attenuate", "0.4", "+noise", "Gaussian", "ppm:-"]
    ).run().output
    let file = try await Command.tool("cjpeg", ["-quality", "97", "-progressive"], input: map)
      .run().output
    try folder.write(file, to: "served/photo.jpg")
    return file.count
  }

  private static func requests(_ site: borrowing JobSite) -> Int {
    site.origin.requests.count { $0.path == "/photo.jpg" }
  }

  @Test("A download ends when the sizes that are wanted have come, and other sizes get the rest")
  func stop() async throws {
    let folder = try TemporaryDirectory()
    let whole = try await Self.file(folder)
    let site = try JobSite.make(serving: folder.path(of: "served"))
    // The origin never sends the last fifth for the first answer.
    let address = "/photo.jpg?stall=80&fail=1&cache=max-age%3D600"
    try await site.submit("small", image: address, more: ["profiles": ["100x100"]])
    try await site.drain()
    let small = try site.manifest("small")
    #expect(small.content.status == "complete", "\(small.codes)")
    #expect(small.codes.isEmpty)
    let attachment = try #require(small.content.attachments.first)
    #expect(attachment.rung == "full")
    #expect(attachment.source.bytes < whole * 8 / 10)
    // The same again needs no request: the origin would send other bytes now.
    try await site.submit("again", image: address, more: ["profiles": ["100x100"]])
    try await site.drain()
    let again = try site.manifest("again")
    #expect(again.content.attachments.first?.source.cache == "hit")
    #expect(try again.rendition().sha256 == small.rendition().sha256)
    #expect(Self.requests(site) == 1)
    // A larger size is not made of the beginning.
    try await site.submit("large", image: address)
    try await site.drain()
    let large = try site.manifest("large")
    #expect(large.content.attachments.first?.rung == "full")
    #expect(large.content.attachments.first?.source.bytes == whole)
    #expect(large.content.attachments.first?.source.cache == "miss")
    #expect(Self.requests(site) == 2)
    let verify = try await Command.built("wirephoto", ["cache", "verify", "--cache", site.cache])
      .run()
    #expect(verify.ending == .exited(0), "\(verify.errorText)")
    // Now all of the file is known, and serves every size.
    try await site.submit("third", image: address, more: ["profiles": ["120x120"]])
    try await site.drain()
    #expect(try site.manifest("third").content.attachments.first?.source.cache == "hit")
    #expect(Self.requests(site) == 2)
  }

  @Test("What was left out is not seen, and an option reads it")
  func likeness() async throws {
    let folder = try TemporaryDirectory()
    let whole = try await Self.file(folder)
    let site = try JobSite.make(serving: folder.path(of: "served"))
    try await site.submit("early", image: "/photo.jpg", more: ["profiles": ["100x100"]])
    try await site.drain(["--format", "png"])
    try await site.submit("all", image: "/photo.jpg?all", more: ["profiles": ["100x100"]])
    try await site.drain(["--format", "png", "--no-early-stop"])
    let (early, all) = (try site.manifest("early"), try site.manifest("all"))
    #expect(try #require(early.content.attachments.first).source.bytes < whole)
    #expect(all.content.attachments.first?.source.bytes == whole)
    let found = try await PixelMap.decode(early.path(early.rendition()))
    let wanted = try await PixelMap.decode(all.path(all.rendition()))
    #expect(try #require(found.psnr(to: wanted)) >= 45)
  }

  @Test(
    "A download that would be late ends at one bit less, and is not kept",
    .enabled(if: TestScale.isNightly, "it watches the clock"))
  func hurry() async throws {
    let folder = try TemporaryDirectory()
    let whole = try await Self.file(folder)
    let site = try JobSite.make(serving: folder.path(of: "served"))
    let rate = whole / 20
    try await site.submit(
      "slow", image: "/photo.jpg?rate=\(rate)&cache=max-age%3D600", more: ["ttlSeconds": 18])
    try await site.drain()
    let slow = try site.manifest("slow")
    #expect(slow.content.status == "complete", "\(slow.codes)")
    #expect(slow.content.attachments.map(\.rung) == ["full"])
    #expect(try #require(slow.content.attachments.first).source.bytes < whole)
    #expect(slow.content.timing.finished < slow.content.timing.deadline)
    let list = try await Command.built("wirephoto", ["cache", "list", "--cache", site.cache]).run()
    #expect(list.output.isEmpty)
  }
}

/// The beginnings that small sizes left in the cache, when a larger one cannot be had.
@Suite(.timeLimit(.minutes(15))) struct KeptBeginningTests {
  /// A good answer of which a box of 100 × 100 needs the beginning; the others break off.
  private static func site(
    _ folder: borrowing TemporaryDirectory, _ address: String
  ) async throws -> JobSite {
    _ = try await EarlyStopTests.file(folder)
    let site = try JobSite.make(serving: folder.path(of: "served"))
    try await site.submit("small", image: address, more: ["profiles": ["100x100"]])
    try await site.drain()
    let small = try site.manifest("small").content
    #expect(small.attachments.map(\.rung) == ["full"])
    return site
  }

  @Test("It is shown as the part it is, at each size, while its origin fails")
  func partial() async throws {
    let folder = try TemporaryDirectory()
    let address = "/photo.jpg?good=1&close=1&cache=max-age%3D600"
    let site = try await Self.site(folder, address)
    let kept = try #require(try site.manifest("small").content.attachments.first).source.bytes
    // The second job finds the failure remembered.
    for (id, profiles) in [("large", ["iphone"]), ("both", ["100x100", "iphone"])] {
      try await site.submit(id, image: address, more: ["profiles": profiles])
      try await site.drain()
      let manifest = try site.manifest(id)
      #expect(manifest.content.status == "degraded")
      #expect(manifest.codes == ["truncatedBody"])
      let attachment = try #require(manifest.content.attachments.first)
      #expect(attachment.rung == "partial")
      #expect(attachment.source.bytes == kept)
      #expect(attachment.renditions.map(\.profile) == profiles)
      let rendition = try #require(attachment.renditions.last)
      #expect(rendition.width == 1320)
      let found = try await PixelMap.decode(manifest.path(rendition))
      let wanted = try await Self.whole(folder)
      // Coarse, and nowhere gray.
      #expect(try #require(found.psnr(to: wanted)) > 25)
    }
    // The first, and a try of the second with its repetition.
    #expect(site.origin.requests.count == 3)
    // What it is good for in full it serves in full still.
    try await site.submit("again", image: address, more: ["profiles": ["100x100"]])
    try await site.drain()
    #expect(try site.manifest("again").content.attachments.map(\.rung) == ["full"])
  }

  /// The picture as the large size shows it.
  private static func whole(_ folder: borrowing TemporaryDirectory) async throws -> PixelMap {
    let output = folder.path(of: "whole.jpg")
    let render = try await Command.built(
      "wirephoto",
      ["render", folder.path(of: "served/photo.jpg"), "-o", output, "--force"]
    ).run()
    #expect(render.ending == .exited(0), "\(render.errorText)")
    return try await PixelMap.decode(output)
  }

  @Test(
    "It is not where the address is gone, or its origin forbids showing it unasked",
    arguments: ["status=404&cache=max-age%3D600", "close=1&cache=max-age%3D0,must-revalidate"])
  func refused(query: String) async throws {
    let folder = try TemporaryDirectory()
    let address = "/photo.jpg?good=1&\(query)"
    let site = try await Self.site(folder, address)
    try await site.submit("large", image: address)
    try await site.drain()
    #expect(try site.manifest("large").content.status == "textOnly")
  }

  @Test("A job that waits for another's download in vain gets the beginning that is enough for it")
  func waiting() async throws {
    let folder = try TemporaryDirectory()
    let address = "/photo.jpg?good=1&stall=1&cache=max-age%3D0,stale-if-error%3D600"
    let site = try await Self.site(folder, address)
    let worker = try site.worker(["--grace", "100ms", "--max-deadline", "10m"]).start()
    try await site.submit("large", image: address, more: ["ttlSeconds": 300])
    try await site.origin.waitForRequests(2)
    try await site.submit(
      "waiting", image: address, more: ["profiles": ["100x100"], "ttlSeconds": 8])
    try await site.waitForOutbox("waiting")
    let manifest = try site.manifest("waiting")
    #expect(manifest.content.attachments.map(\.rung) == ["stale"], "\(manifest.codes)")
    #expect(manifest.codes == ["downloadTimeout"])
    #expect(site.origin.requests.count == 2)
    worker.send(SIGTERM)
    _ = try await worker.finish(by: .after(.seconds(60)))
  }
}
