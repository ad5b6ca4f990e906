import Foundation
import Glibc
import Media
import Origin
import TestSupport
import Testing

/// Downloads that break or stall, and files whose data are cut or spoilt: the best rung that their
/// bytes allow, in time, with the reason.
@Suite(.timeLimit(.minutes(15))) struct LowerRungTests {
  /// What is served, how it breaks, and which share of the picture's height must be seen.
  struct Break: CustomTestStringConvertible, Sendable {
    let name: String
    let query: String
    let code: String
    var share: ClosedRange<Double> = 0.97...1.03

    var testDescription: String { "\(name)?\(query)" }
  }

  static let breaks = [
    Break(name: "large-progressive.jpg", query: "close=50", code: "truncatedBody"),
    Break(name: "large-progressive.jpg", query: "stall=50", code: "downloadTimeout"),
    Break(name: "large-progressive.jpg", query: "reset=90", code: "truncatedBody"),
    Break(name: "large.jpg", query: "stall=90", code: "downloadTimeout", share: 0.6...0.99),
    Break(name: "large.jpg", query: "close=90", code: "truncatedBody", share: 0.6...0.99),
  ]

  @Test("A download that breaks gives the part that came", arguments: breaks)
  func partial(how: Break) async throws {
    let site = try JobSite.make()
    let address = "/jpeg/\(how.name)"
    try await site.submit("job", image: "\(address)?\(how.query)", more: ["ttlSeconds": 12])
    try await site.submit("whole", image: address)
    try await site.drain()
    let manifest = try site.manifest("job")
    #expect(manifest.content.status == "degraded", "\(manifest.codes)")
    #expect(manifest.codes == [how.code])
    let attachment = try #require(manifest.content.attachments.first)
    #expect(attachment.rung == "partial")
    #expect(manifest.content.timing.finished < manifest.content.timing.deadline)
    let wholeManifest = try site.manifest("whole")
    let wanted = try #require(wholeManifest.content.attachments.first)
    #expect(wanted.rung == "full")
    #expect(attachment.source.width == wanted.source.width)
    #expect(attachment.source.height == wanted.source.height)
    let part = try await PixelMap.decode(manifest.path(manifest.rendition()))
    let whole = try await PixelMap.decode(wholeManifest.path(wholeManifest.rendition()))
    #expect(part.width == whole.width)
    #expect(how.share.contains(Double(part.height) / Double(whole.height)), "\(part.height)")
    // Coarse, or exact above the cut, but nowhere gray: 20 dB is a mean difference of 25.
    #expect(part.likeness(toTopOf: whole) > 20)
  }

  @Test(
    "While a broken download is remembered, later jobs get the part that came, never as a whole")
  func rememberedPart() async throws {
    let site = try JobSite.make()
    let address = "/jpeg/large-progressive.jpg?cache=max-age%3D600&close=50"
    let started = ContinuousClock.now
    for id in ["first", "second", "third"] {
      try await site.submit(id, image: address)
      try await site.drain()
      let manifest = try site.manifest(id)
      #expect(manifest.content.status == "degraded")
      #expect(manifest.content.attachments.map(\.rung) == ["partial"])
      #expect(manifest.codes == ["truncatedBody"])
    }
    // A try and its repetition, by the first job alone: it is remembered for 27 s at least.
    if started.duration(to: .now) < .seconds(25) { #expect(site.origin.requests.count == 2) }
    let likeness = try await PixelMap.decode(
      site.manifest("third").path(site.manifest("third").rendition()))
    let first = try await PixelMap.decode(
      site.manifest("first").path(site.manifest("first").rendition()))
    #expect(likeness.width == first.width && likeness.height == first.height)
    #expect(
      try await Command.built("wirephoto", ["cache", "list", "--cache", site.cache]).run().text
        .isEmpty)
    let purge = try await Command.built(
      "wirephoto", ["cache", "purge", site.origin.url(address), "--cache", site.cache]
    ).run()
    #expect(purge.ending == .exited(0))
    let left = try FileManager.default.subpathsOfDirectory(atPath: site.cache)
      .filter { $0.hasPrefix("o") && $0.count > 12 }
    #expect(left.isEmpty)
  }

  @Test(
    "What an origin forbids to use again is not kept from a broken download",
    arguments: ["no-store", "max-age=600,must-revalidate", "no-cache"])
  func forbiddenPart(directive: String) async throws {
    let site = try JobSite.make()
    let address = "/jpeg/large-progressive.jpg?cache=\(directive)&close=50"
    for (id, rungs) in [("first", ["partial"]), ("second", [])] {
      try await site.submit(id, image: address)
      try await site.drain()
      #expect(try site.manifest(id).content.attachments.map(\.rung) == rungs)
    }
    let originals = try FileManager.default.subpathsOfDirectory(
      atPath: site.root.path(of: "cache/originals"))
    #expect(originals.allSatisfy { $0.count < 60 })
  }

  @Test(
    "A file of sound is never the beginning of one, kept or not",
    arguments: ["no-store", "no-cache"])
  func wholeSound(directive: String) async throws {
    let site = try JobSite.make()
    let address = site.origin.url("/audio/cover.mp3?cache=\(directive)&good=1&close=60")
    // One process: it remembers which addresses are not kept.
    let worker = try site.worker([]).start()
    for id in ["whole", "broken"] {
      try await site.submit(id, image: nil, more: ["media": [address], "ttlSeconds": 20])
      try await eventually("the manifest of \(id)") { try site.names("outbox").contains(id) }
    }
    worker.send(SIGTERM)
    _ = try await worker.finish(by: .after(.seconds(120)))
    let manifests = try ["whole", "broken"].map { id in
      let bytes = try FileBytes.read(site.root.path(of: "jobs/outbox/\(id)/manifest.json"))
      return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }
    #expect(manifests.map { $0["status"] as? String } == ["complete", "textOnly"])
    let problems = manifests[1]["problems"] as? [[String: Any]]
    #expect(problems?.contains { $0["code"] as? String == "truncatedBody" } == true)
  }

  @Test(
    "Less than half of a picture is none",
    arguments: [
      ("large.jpg", "stall=10", "downloadTimeout"), ("large.jpg", "close=10", "truncatedBody"),
    ])
  func tooLittle(name: String, query: String, code: String) async throws {
    let site = try JobSite.make()
    try await site.submit("job", image: "/jpeg/\(name)?\(query)", more: ["ttlSeconds": 8])
    try await site.drain()
    let manifest = try site.manifest("job")
    #expect(manifest.content.status == "textOnly")
    #expect(manifest.codes == [code, "noPicture"])
    #expect(manifest.content.timing.finished < manifest.content.timing.deadline)
  }

  @Test("A file that is cut gives a partial picture, from the cache as well")
  func cutFile() async throws {
    let folder = try TemporaryDirectory()
    try folder.makeFolder("served")
    let bytes = try FileBytes.read(Project.path("media-samples/jpeg/large.jpg"))
    try folder.write(Array(bytes.prefix(bytes.count * 8 / 10)), to: "served/cut.jpg")
    let site = try JobSite.make(serving: folder.path(of: "served"))
    for id in ["first", "second"] {
      try await site.submit(id, image: "/cut.jpg?cache=max-age%3D600")
      try await site.drain()
      let manifest = try site.manifest(id)
      #expect(manifest.content.attachments.map(\.rung) == ["partial"])
      #expect(manifest.codes == ["corrupt"])
    }
  }

  @Test(
    "A file without its picture gives the thumbnail in it, unless an alternate is whole",
    arguments: [
      "jpeg/embedded-thumbnail.jpg", "heic/thumbnail.heic", "heic/exif-thumbnail.heic",
    ])
  func embedded(name: String) async throws {
    let folder = try TemporaryDirectory()
    try folder.makeFolder("served")
    let original = Project.path("media-samples/\(name)")
    let bytes = try FileBytes.read(original)
    let served = name.split(separator: "/").last.map(String.init) ?? ""
    try folder.write(bytes, to: "served/\(served)")
    try folder.write(
      try FileBytes.read(Project.path("media-samples/png/rgb-8.png")), to: "served/other.png")
    // A cache of its own: renditions of the whole picture would be found there.
    let wholeSite = try JobSite.make(serving: folder.path(of: "served"))
    try await wholeSite.submit("whole", image: "/\(served)")
    try await wholeSite.drain()
    let site = try JobSite.make(serving: folder.path(of: "served"))
    try await site.submit("job", image: "/\(served)?small")
    try await site.submit(
      "two", image: "/\(served)?two", more: ["imageURLs": [site.origin.url("/other.png")]])
    try await site.drain(["--max-pixels", "20000"])
    let manifest = try site.manifest("job")
    #expect(manifest.content.attachments.map(\.rung) == ["embedded"], "\(manifest.codes)")
    #expect(manifest.codes == ["tooManyPixels"])
    let wholeManifest = try wholeSite.manifest("whole")
    let source = try #require(wholeManifest.content.attachments.first?.source)
    #expect(manifest.content.attachments.first?.source.width == source.width)
    let small = try await PixelMap.decode(manifest.path(manifest.rendition()))
    #expect((small.width > small.height) == (source.width > source.height))
    #expect(small.width < source.width)
    #expect(try site.manifest("two").content.attachments.map(\.rung) == ["alternate"])
  }
}

extension PixelMap {
  /// The PSNR, in decibels, against as many rows of a larger one.
  fileprivate func likeness(toTopOf other: PixelMap) -> Double {
    let count = min(samples.count, other.samples.count)
    let sum = (0..<count).reduce(0.0) {
      let difference = Double(samples[$1]) - Double(other.samples[$1])
      return $0 + difference * difference
    }
    return sum == 0 ? 100 : 10 * log10(255 * 255 * Double(count) / sum)
  }
}
