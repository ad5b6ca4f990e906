import Foundation
import Media
import Origin
import TestSupport
import Testing

/// Progressive pictures of which the job's sizes need but the beginning.
@Suite(.timeLimit(.minutes(15))) struct EarlyStopTests {
  /// 2400 × 1600 grainy pixels of which a box of 100 × 100 needs the first scans; two megabytes.
  private static func file(_ folder: borrowing TemporaryDirectory) async throws -> Int {
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
