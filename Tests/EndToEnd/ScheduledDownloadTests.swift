import Foundation
import Media
import Origin
import TestSupport
import Testing

/// Pictures that by what decoding has cost could not be decoded in time: their downloads stop at the
/// first bytes.
@Suite(.timeLimit(.minutes(15))) struct ScheduledDownloadTests {
  /// 40 megapixels and what they take by kept costs, 16 times what is supposed: over 3 s.
  private static let costs = """
    {"decoding": {"machine": {"usual": 1, "cautious": 1.6}, "classes": {
      "png 5 large": {"usual": 16, "cautious": 16},
      "progressiveJPEG 5 large": {"usual": 16, "cautious": 16}}}}
    """

  private static func site(
    _ folder: borrowing TemporaryDirectory, _ name: String, _ picture: [UInt8]
  ) throws -> JobSite {
    try folder.makeFolder("served")
    try folder.write(picture, to: "served/\(name)")
    let site = try JobSite.make(serving: folder.path(of: "served"))
    try site.root.write(Self.costs, to: "jobs/.costs.json")
    return site
  }

  private static func originals(_ site: borrowing JobSite) throws -> [String] {
    let folder = "\(site.cache)/originals"
    return try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
      FileManager.default.contents(atPath: "\(folder)/\($0)") != nil
    }
  }

  @Test("A picture that cannot be decoded in time is not fetched, and is once there is time")
  func stopped() async throws {
    let folder = try TemporaryDirectory()
    let picture = try await Command.tool(
      "convert-im6.q16", ["-size", "8000x5000", "gradient:red-blue", "-depth", "8", "png:-"]
    ).run(limit: .seconds(120)).output
    let site = try Self.site(folder, "photo.png", picture)
    try await site.submit("hurried", image: "/photo.png", more: ["ttlSeconds": 3])
    try await site.drain()
    let hurried = try site.manifest("hurried")
    #expect(hurried.content.status == "textOnly")
    #expect(hurried.codes.contains("deadlineExceeded"), "\(hurried.codes)")
    #expect(try Self.originals(site).isEmpty)
    try await site.submit("patient", image: "/photo.png", more: ["ttlSeconds": 100])
    try await site.drain()
    let patient = try site.manifest("patient")
    #expect(patient.content.status == "complete", "\(patient.codes)")
    #expect(patient.content.attachments.first?.source.bytes == picture.count)
    #expect(site.origin.requests.count { $0.path == "/photo.png" } == 2)
  }

  @Test("Of a picture that cannot be decoded in time the thumbnail is shown, which comes first")
  func thumbnail() async throws {
    let folder = try TemporaryDirectory()
    let map = try await Command.tool(
      "convert-im6.q16", ["-size", "8000x5000", "gradient:red-blue", "-depth", "8", "ppm:-"]
    ).run(limit: .seconds(120)).output
    let small = try await Command.tool(
      "convert-im6.q16", ["ppm:-", "-resize", "320x200", "jpeg:-"], input: map
    ).run(limit: .seconds(120)).output
    try folder.write(small, to: "small.jpg")
    let bare = try await Command.tool("cjpeg", ["-quality", "90", "-progressive"], input: map)
      .run(limit: .seconds(120)).output
    let picture = try await Command.tool(
      "exiftool", ["-ThumbnailImage<=\(folder.path(of: "small.jpg"))", "-"], input: bare
    ).run(limit: .seconds(120)).output
    try #require(picture.count > bare.count + small.count)
    let site = try Self.site(folder, "photo.jpg", picture)
    try await site.submit("hurried", image: "/photo.jpg", more: ["ttlSeconds": 3])
    try await site.drain()
    let manifest = try site.manifest("hurried")
    let attachment = try #require(manifest.content.attachments.first, "\(manifest.codes)")
    #expect(attachment.rung == "embedded")
    #expect(manifest.codes.contains("deadlineExceeded"))
    #expect(attachment.source.bytes < picture.count / 2)
    #expect(try Self.originals(site).isEmpty)
    let shown = try await PixelMap.decode(manifest.path(manifest.rendition()))
    #expect(shown.width == 320)
    #expect(shown.height == 200)
  }

  @Test("A PNG that announces its thumbnail comes for it, though it cannot be decoded in time")
  func announced() async throws {
    let folder = try TemporaryDirectory()
    let gradient = ["-size", "8000x5000", "gradient:red-blue", "-depth", "8"]
    for (tool, arguments) in [
      ("convert-im6.q16", gradient + [folder.path(of: "photo.png")]),
      ("convert-im6.q16", gradient + ["-resize", "320x200", folder.path(of: "small.jpg")]),
      (
        "exiftool",
        [
          "-q", "-overwrite_original", "-ThumbnailImage<=\(folder.path(of: "small.jpg"))",
          folder.path(of: "photo.png"),
        ]
      ),
    ] {
      let outcome = try await Command.tool(tool, arguments).run(limit: .seconds(120))
      try #require(outcome.ending == .exited(0), "\(outcome.errorText)")
    }
    let picture = try folder.read("photo.png")
    let site = try Self.site(folder, "photo.png", picture)
    try await site.submit("hurried", image: "/photo.png", more: ["ttlSeconds": 3])
    try await site.drain()
    let manifest = try site.manifest("hurried")
    let attachment = try #require(manifest.content.attachments.first, "\(manifest.codes)")
    #expect(attachment.rung == "embedded" && attachment.source.bytes == picture.count)
    #expect(manifest.codes.contains("deadlineExceeded"))
    let shown = try await PixelMap.decode(manifest.path(manifest.rendition()))
    #expect(shown.width == 320 && shown.height == 200)
  }
}
