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
    _ path: String, _ embedded: RenderRequest.EmbeddedUse, box: Int = 300,
    comparison: Duration? = nil
  ) throws -> (RenderReply, DecodedPicture?) {
    let input = try RenderedOutput(holding: try FileBytes.read(path)), output = try RenderedOutput()
    let size = PixelSize(width: box, height: box)
    let request = RenderRequest(
      operation: .render,
      renditions: [.init(box: size, fit: .contain, stillBudget: nil, animatedBudget: nil)],
      outputFormat: .png, embedded: embedded, comparison: comparison)
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

  private static let unhurried = Duration.seconds(600)

  /// Forms of one picture, as ImageMagick writes them.
  private static let forms: [(String, [String])] = [
    ("a.jpg", []), ("a.jpg", ["-interlace", "JPEG"]), ("a.jpg", ["-colorspace", "Gray"]),
    ("a.jpg", ["-sampling-factor", "1x1"]), ("a.png", ["-depth", "8"]),
    ("a.png", ["-depth", "16"]), ("a.png", ["-colors", "200"]),
    ("a.png", ["-alpha", "on"]), ("a.webp", ["-quality", "90"]),
    ("a.webp", ["-define", "webp:lossless=true"]),
  ]

  @Test("In place of a picture it counts as that where rows of it show the same", arguments: forms)
  func compared(name: String, options: [String]) async throws {
    let folder = try TemporaryDirectory()
    // Gray pictures have gray thumbnails.
    let isGray = options.contains("Gray")
    let small = ["-resize", "240x160!"] + (isGray ? ["-colorspace", "Gray"] : [])
    for orientation in TestScale.isNightly ? [1, 6, 3] : [6] {
      let path = try await Self.file(
        name, folder, options: options, thumbnail: small, orientation: orientation)
      let (reply, picture) = try Self.render(
        path, .always, box: 240, comparison: Self.unhurried)
      #expect(reply.extent == .hurried && reply.problems == [])
      let (_, thumbnail) = try Self.render(path, .always, box: 240)
      #expect(picture?.planes == thumbnail?.planes)
    }
  }

  @Test("It is not shown where they show something else", arguments: forms)
  func other(name: String, options: [String]) async throws {
    let folder = try TemporaryDirectory()
    for change in [
      ["-flip"],
      // Something that was there before the picture was painted over, at its top.
      ["-fill", "red", "-draw", "rectangle 300,100 420,180"],
    ] {
      let path = try await Self.file(
        name, folder, options: options, thumbnail: change + ["-resize", "240x160!"])
      let (reply, _) = try Self.render(path, .always, box: 240, comparison: Self.unhurried)
      #expect(reply.renditions.isEmpty, "\(change)")
      #expect(reply.problems.map(\.code) == [.noPicture])
    }
  }

  @Test("It is shown as what it is without time, where it is too small, or nothing can be told")
  func notCompared() async throws {
    let folder = try TemporaryDirectory()
    let path = try await Self.file("a.jpg", folder, thumbnail: ["-flip", "-resize", "240x160!"])
    #expect(try Self.render(path, .always, box: 240, comparison: .zero).0.extent == .embedded)
    #expect(
      try Self.render(path, .always, box: 241, comparison: Self.unhurried).0.extent == .embedded)
    for (name, options) in [
      // What shows through may have any colour in the thumbnail.
      ("b.png", ["-alpha", "set", "-channel", "A", "-evaluate", "set", "50%"]),
      ("c.png", ["-interlace", "PNG"]), ("d.jpg", ["-colorspace", "CMYK"]),
    ] {
      let path = try await Self.file(name, folder, options: options)
      let (reply, _) = try Self.render(path, .always, box: 240, comparison: Self.unhurried)
      #expect(reply.extent == .embedded && reply.renditions.count == 1, "\(name)")
    }
  }

  @Test("A picture that ends early is not vouched for")
  func cut() async throws {
    let folder = try TemporaryDirectory()
    let path = try await Self.file("a.jpg", folder)
    let bytes = try FileBytes.read(path)
    let cut = try folder.write(Array(bytes.prefix(bytes.count * 9 / 10)), to: "cut.jpg")
    let (reply, _) = try Self.render(cut, .always, box: 240, comparison: Self.unhurried)
    #expect(reply.extent == .embedded && reply.renditions.count == 1)
  }
}
