import Files
import Foundation
import Imaging
import Media
import TestSupport
import Testing

/// Thumbnails in Exif blocks: of which files, how turned, without bars, and when they are as good as
/// the picture.
@Suite("Embedded thumbnails", .timeLimit(.minutes(15)))
struct EmbeddedThumbnailTests {
  private static func run(_ tool: String, _ arguments: [String]) async throws {
    let outcome = try await Command.tool(tool, arguments).run()
    try #require(outcome.ending == .exited(0), "\(outcome.errorText)")
  }

  /// A picture of 1200 × 800 pixels with a thumbnail in it, both drawn by ImageMagick; the path.
  ///
  /// `thumbnail` are ImageMagick's operators that make it from the picture.
  private static func file(
    _ name: String, _ folder: borrowing TemporaryDirectory, options: [String] = [],
    thumbnail: [String] = ["-resize", "240x160!"], orientation: Int = 1
  ) async throws -> String {
    let (picture, small) = (folder.path(of: name), folder.path(of: "small.jpg"))
    let sample = Project.path("media-samples/jpeg/large.jpg")
    let source = [sample, "-strip", "-resize", "1200x800!"]
    try await run("convert-im6.q16", source + options + [picture])
    try await run("convert-im6.q16", source + thumbnail + [small])
    try await run(
      "exiftool",
      [
        "-q", "-overwrite_original", "-ThumbnailImage<=\(small)", "-n",
        "-Orientation=\(orientation)", picture,
      ])
    return picture
  }

  private static func render(
    _ path: String, _ embedded: RenderRequest.EmbeddedUse, box: Int = 300
  ) throws -> (RenderReply, DecodedPicture?) {
    let input = try RenderedOutput(holding: try FileBytes.read(path)), output = try RenderedOutput()
    let size = PixelSize(width: box, height: box)
    let request = RenderRequest(
      operation: .render,
      renditions: [.init(box: size, fit: .contain, stillBudget: nil, animatedBudget: nil)],
      outputFormat: .png, embedded: embedded)
    let reply = Thumbnailer.run(request, input: input.number, output: output.number)
    let picture = try reply.renditions.first.map {
      try decodePicture([UInt8](try output.bytes()[$0.bytes]), as: .png)
    }
    return (reply, picture)
  }

  @Test("JPEG, PNG and WebP give theirs", arguments: ["a.jpg", "a.png", "a.webp"])
  func formats(name: String) async throws {
    let folder = try TemporaryDirectory()
    let path = try await Self.file(name, folder)
    let (reply, picture) = try Self.render(path, .always)
    #expect(reply.extent == .embedded)
    #expect(reply.facts?.storedSize == PixelSize(width: 1200, height: 800))
    #expect(picture?.raster?.size == PixelSize(width: 240, height: 160))
    let whole = try #require(try Self.render(path, .never, box: 240).1)
    let found = try #require(picture).bytes
    #expect(try #require(decibels(found, whole.bytes)) > 25)
  }

  @Test("It is turned once, as its picture is", arguments: ["a.jpg", "a.png", "a.webp"])
  func turned(name: String) async throws {
    let folder = try TemporaryDirectory()
    let path = try await Self.file(name, folder, orientation: 6)
    let picture = try #require(try Self.render(path, .always).1)
    #expect(picture.raster?.size == PixelSize(width: 160, height: 240))
    let whole = try #require(try Self.render(path, .never, box: 240).1)
    #expect(try #require(decibels(picture.bytes, whole.bytes)) > 25)
  }

  @Test(
    "Black bars are cut away, and others are no bars",
    arguments: [("black", true), ("white", false)])
  func bars(colour: String, areCut: Bool) async throws {
    let folder = try TemporaryDirectory()
    // 160 × 120 whatever the picture: 107 rows of it in the middle.
    let path = try await Self.file(
      "a.jpg", folder,
      thumbnail: [
        "-resize", "160x107!", "-background", colour, "-gravity", "center", "-extent", "160x120",
      ])
    let (reply, picture) = try Self.render(path, .always)
    #expect((reply.extent == .embedded) == areCut)
    guard areCut else { return }
    let size = try #require(picture?.raster?.size)
    #expect(size.width == 160 && (100...107).contains(size.height))
    let samples = try #require(picture).bytes
    for row in [0, size.height - 1] {
      let line = samples[row * 480..<(row + 1) * 480]
      #expect(line.reduce(0) { $0 + Int($1) } > 480 * 30, "row \(row) is dark")
    }
  }

  @Test("Bars at the sides are cut as well")
  func sideBars() async throws {
    let folder = try TemporaryDirectory()
    let path = try await Self.file(
      "a.jpg", folder, options: ["-resize", "600x800!"],
      thumbnail: [
        "-resize", "90x120!", "-background", "black", "-gravity", "center", "-extent", "160x120",
      ])
    let (reply, picture) = try Self.render(path, .always)
    #expect(reply.extent == .embedded)
    let size = try #require(picture?.raster?.size)
    #expect((84...90).contains(size.width) && size.height == 120)
  }

  /// A progressive file, which the first scans show.
  private static func progressive(
    _ folder: borrowing TemporaryDirectory, _ thumbnail: [String] = ["-resize", "240x160!"]
  ) async throws -> String {
    try await file("p.jpg", folder, options: ["-interlace", "JPEG"], thumbnail: thumbnail)
  }

  @Test("It serves as the picture where it is as large and shows the same")
  func serves() async throws {
    let folder = try TemporaryDirectory()
    let path = try await Self.progressive(folder)
    let (reply, picture) = try Self.render(path, .asFallback, box: 240)
    let (_, thumbnail) = try Self.render(path, .always, box: 240)
    #expect(reply.extent == .whole && reply.problems.isEmpty)
    #expect(reply.facts?.storedSize == PixelSize(width: 1200, height: 800))
    #expect(picture?.planes == thumbnail?.planes)
  }

  @Test(
    "It does not where it is smaller, of another shape or another picture",
    arguments: [
      (300, ["-resize", "240x160!"]),
      (200, ["-resize", "240x164!"]),
      // Something was painted over since: a part of 40 × 40 of 1200 × 800.
      (200, ["-fill", "red", "-draw", "rectangle 600,400 660,460", "-resize", "240x160!"]),
      (200, ["-flop", "-resize", "240x160!"]),
      (
        200,
        [
          "-resize", "240x150!", "-background", "black", "-gravity", "center", "-extent", "240x160",
        ]
      ),
    ] as [(Int, [String])])
  func refused(box: Int, thumbnail: [String]) async throws {
    let folder = try TemporaryDirectory()
    let path = try await Self.progressive(folder, thumbnail)
    let (reply, picture) = try Self.render(path, .asFallback, box: box)
    #expect(reply.extent == .whole)
    let whole = try Self.render(path, .never, box: box).1
    #expect(picture?.planes == whole?.planes)
  }
}
