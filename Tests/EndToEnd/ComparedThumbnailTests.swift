import Foundation
import Origin
import TestSupport
import Testing

/// Thumbnails that stand for pictures whose decode, by what it has cost, would not end in time.
@Suite(.timeLimit(.minutes(15))) struct ComparedThumbnailTests {
  /// A picture of 0.8 megapixels is supposed to take 18 ms, 6 ms for those and 20 ms for each of its 20
  /// megabytes; small results of it 16 times that by kept costs: 6.9 s.
  private static let costs = """
    {"decoding": {"machine": {"usual": 1, "cautious": 1.6}, "classes": {
      "avif -1 small": {"usual": 16, "cautious": 16}}}}
    """
  private static let padding = 20_000_000

  /// An AVIF grid with an Exif thumbnail, and bytes behind it that nobody reads.
  private static func picture(
    _ folder: borrowing TemporaryDirectory, thumbnail: [String]
  ) async throws -> [UInt8] {
    let (whole, small) = (folder.path(of: "whole.png"), folder.path(of: "small.jpg"))
    let picture = folder.path(of: "picture.avif")
    let sample = Project.path("media-samples/jpeg/large.jpg")
    let source = [sample, "-strip", "-resize", "1024x768!"]
    for (tool, arguments) in [
      ("convert-im6.q16", source + [whole]),
      ("convert-im6.q16", source + thumbnail + ["-resize", "480x360!", small]),
      ("avifenc", ["-s", "10", "--min", "10", "--max", "20", "--grid", "4x3", whole, picture]),
      ("exiftool", ["-q", "-overwrite_original", "-ThumbnailImage<=\(small)", picture]),
    ] {
      let outcome = try await Command.tool(tool, arguments).run()
      try #require(outcome.ending == .exited(0), "\(outcome.errorText)")
    }
    let size = padding + 8
    let box = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + Array("free".utf8)
    return try FileBytes.read(picture) + box + [UInt8](repeating: 0, count: padding)
  }

  /// Serves the picture; the cache has it after a job without hurry, in another size.
  private static func site(
    _ folder: borrowing TemporaryDirectory, thumbnail: [String] = []
  ) async throws -> JobSite {
    try folder.makeFolder("served")
    try folder.write(try await picture(folder, thumbnail: thumbnail), to: "served/photo.avif")
    let site = try JobSite.make(serving: folder.path(of: "served"))
    try site.root.write(costs, to: "jobs/.costs.json")
    try await run("large", site, profile: "iphone", seconds: 100)
    #expect(try site.manifest("large").content.attachments.map(\.rung) == ["full"])
    return site
  }

  private static func run(
    _ id: String, _ site: borrowing JobSite, profile: String = "thumb", seconds: Int
  ) async throws {
    try await site.submit(
      id, image: "/photo.avif?cache=max-age%3D6000",
      more: ["profiles": [profile], "ttlSeconds": seconds])
    try await site.drain()
  }

  @Test("It is full where it shows the same, is not kept, and gives way to the picture itself")
  func same() async throws {
    let folder = try TemporaryDirectory()
    let site = try await Self.site(folder)
    try await Self.run("hurried", site, seconds: 5)
    let hurried = try site.manifest("hurried")
    #expect(hurried.content.status == "complete", "\(hurried.codes)")
    #expect(hurried.content.attachments.map(\.rung) == ["full"])
    #expect(hurried.codes == ["deadlineExceeded"])
    #expect(hurried.content.problems.first?.message.contains("stands for it") == true)
    try await Self.run("patient", site, seconds: 100)
    try await Self.run("later", site, seconds: 5)
    let (patient, later) = (try site.manifest("patient"), try site.manifest("later"))
    for manifest in [patient, later] {
      #expect(manifest.content.attachments.map(\.rung) == ["full"])
      #expect(manifest.codes.isEmpty)
    }
    // The picture's own, kept since.
    #expect(try later.rendition().sha256 == patient.rendition().sha256)
    #expect(try hurried.rendition().sha256 != patient.rendition().sha256)
    let shown = try await PixelMap.decode(hurried.path(hurried.rendition()))
    let whole = try await PixelMap.decode(patient.path(patient.rendition()))
    #expect(shown.width == 300 && shown.height == 300)
    #expect(try #require(shown.psnr(to: whole)) > 25)
    #expect(site.origin.requests.count { $0.path == "/photo.avif" } == 1)
  }

  @Test("Another picture's is not shown, and the manifest says why")
  func different() async throws {
    let folder = try TemporaryDirectory()
    let site = try await Self.site(folder, thumbnail: ["-negate"])
    try await Self.run("hurried", site, seconds: 5)
    let manifest = try site.manifest("hurried")
    #expect(manifest.content.status == "textOnly")
    #expect(manifest.content.attachments.isEmpty)
    let problem = manifest.content.problems.first { $0.code == "deadlineExceeded" }
    #expect(problem?.message.contains("shows something else") == true, "\(manifest.codes)")
  }

  @Test("One that is smaller than the profile is shown as what it is")
  func small() async throws {
    let folder = try TemporaryDirectory()
    let site = try await Self.site(folder, thumbnail: ["-negate", "-resize", "320x240!"])
    try await Self.run("hurried", site, profile: "500x500", seconds: 5)
    let manifest = try site.manifest("hurried")
    #expect(manifest.content.attachments.map(\.rung) == ["embedded"], "\(manifest.codes)")
  }
}
