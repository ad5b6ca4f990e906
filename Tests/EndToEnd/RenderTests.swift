import Files
import Foundation
import Glibc
import Media
import TestSupport
import Testing

/// `wirephoto render` on media-samples/, its pictures read by other decoders.
@Suite(.timeLimit(.minutes(15))) struct RenderTests {
  private static let stills = Samples.folder("jpeg", "png", "gif", "webp", "heic", "avif")
    .filter { $0.outcome == .picture }

  /// Samples with an alpha channel that hides nothing, or not in what a still shows.
  private static let opaqueAlpha: Set<String> = [
    "png/opaque-rgba.png", "png/animated-partial.png", "gif/disposals.gif",
    "webp/animated-disposals.webp",
  ]

  private func render(_ arguments: [String]) async throws -> CommandOutcome {
    try await Command.built("wirephoto", ["render"] + arguments).run(limit: .seconds(120))
  }

  @Test("Every sample becomes a picture that another decoder reads, of the displayed size")
  func sizes() async throws {
    let folder = try TemporaryDirectory()
    let outcome = try await render(
      try folder.link(Self.stills) + [
        "-o", folder.path(of: "{name}-{profile}"), "--size", "400x400",
        "--json", "--force",
      ])
    try #require(outcome.ending == .exited(0), "\(outcome.errorText)")
    for (sample, line) in zip(Self.stills, outcome.lines) {
      let report = try JSONDecoder().decode(Report.self, from: Data(line.utf8))
      let file = try #require(report.files.first)
      let picture = try await PixelMap.decode(file.file)
      let name = Comment(rawValue: sample.name)
      #expect(picture.width == file.width && picture.height == file.height, name)
      #expect(picture.width <= 400 && picture.height <= 400, name)
      let size = try #require(sample.size)
      let ratio = min(1, 400 / Double(max(size.width, size.height)))
      #expect(abs(Double(size.width) * ratio - Double(picture.width)) <= 1, name)
      #expect(abs(Double(size.height) * ratio - Double(picture.height)) <= 1, name)
      let isClear = sample.hasAlpha && !Self.opaqueAlpha.contains(sample.name)
      let isAnimation = sample.frames > 1 && sample.format != .avif
      #expect(file.format == (isAnimation ? "gif" : isClear ? "png" : "jpeg"), name)
    }
  }

  @Test("What is there and no file is written as it is")
  func specialOutput() async throws {
    let folder = try TemporaryDirectory()
    let sample = Project.path("media-samples/jpeg/baseline.jpg")
    let full = try await render([sample, "-o", "/dev/full"])
    #expect(full.ending == .exited(1))
    #expect(full.errorText.contains("diskFull"))
    let null = try await render([sample, "-o", "/dev/null", "--json"])
    #expect(null.ending == .exited(0))
    #expect(null.text.contains(#""file":"/dev/null""#))
    let plain = folder.path(of: "plain.jpg")
    #expect(try await render([sample, "-o", plain]).ending == .exited(0))
    let fifo = folder.path(of: "fifo")
    #expect(unsafe mkfifo(fifo, 0o600) == 0)
    let reader = try Command.tool("cat", [fifo]).start()
    #expect(try await render([sample, "-o", fifo]).ending == .exited(0))
    #expect(try await reader.finish(by: .after(.seconds(60))).output == folder.read("plain.jpg"))
    #expect(try folder.names(in: ".") == ["fifo", "plain.jpg"])
    let told = try await render([sample, "-o", "/dev/stdout"])
    #expect(told.output == (try folder.read("plain.jpg")))
  }

  @Test("All eight orientations give the same picture") func orientations() async throws {
    let folder = try TemporaryDirectory()
    let paths = (1...8).map { Project.path("media-samples/jpeg/orientation-\($0).jpg") }
    let outcome = try await render(
      paths + ["-o", folder.path(of: "{name}.png"), "--max-bytes", "0"])
    try #require(outcome.ending == .exited(0), "\(outcome.errorText)")
    let upright = try await PixelMap.decode(folder.path(of: "orientation-1.png"))
    for orientation in 2...8 {
      let other = try await PixelMap.decode(folder.path(of: "orientation-\(orientation).png"))
      #expect(try #require(upright.psnr(to: other)) > 30, "orientation \(orientation)")
    }
  }

  @Test("Nothing of the source's metadata reaches an output") func metadata() async throws {
    let folder = try TemporaryDirectory()
    let outcome = try await render(
      try folder.link(Self.stills) + ["-o", try folder.makeFolder("out") + "/"])
    try #require(outcome.ending == .exited(0), "\(outcome.errorText)")
    let tags = try await Command.tool(
      "exiftool", ["-q", "-G1", "-j", "-r", folder.path(of: "out")]
    ).run().text
    for group in [
      "GPS:", "IFD0:", "ExifIFD:", "XMP", "IPTC:", "Comment", "ICC_Profile", "ICC-header",
    ] {
      #expect(!tags.contains(group), "\(group)")
    }
    #expect(tags.contains("SourceFile"))
  }

  @Test(
    "Hostile and truncated samples give their problem, and no file",
    arguments: Samples.folder("hostile", "truncated").filter {
      [.jpeg, .png, .gif, .webp, .heic, .avif].contains($0.format)
    })
  func refusals(sample: Sample) async throws {
    let folder = try TemporaryDirectory()
    let outcome = try await render(
      [sample.path, "-o", folder.path(of: "out"), "--json"])
    let report = try JSONDecoder().decode(Report.self, from: outcome.dataOfFirstLine)
    switch sample.outcome {
    case .problem(let code):
      #expect(outcome.ending == .exited(1))
      #expect(report.problems.map(\.code).contains(code.rawValue), "\(report.problems)")
      #expect(try folder.names().isEmpty)
    case .picture, .sound:
      #expect(outcome.ending == .exited(0))
      #expect(report.files.count == 1)
    }
  }

  @Test("Nothing is overwritten without --force") func overwriting() async throws {
    let folder = try TemporaryDirectory()
    let target = try folder.write("mine", to: "out.jpg")
    let sample = Project.path("media-samples/jpeg/baseline.jpg")
    #expect(try await render([sample, "-o", target]).ending == .exited(1))
    #expect(try folder.read("out.jpg") == Array("mine".utf8))
    #expect(try await render([sample, "-o", target, "--force"]).ending == .exited(0))
    #expect(try folder.read("out.jpg").starts(with: [0xFF, 0xD8, 0xFF]))
    #expect(try folder.names() == ["out.jpg"])
  }

  @Test("One decode serves several profiles, each within its box and budget")
  func profiles() async throws {
    let folder = try TemporaryDirectory()
    let sample = Project.path("media-samples/jpeg/large.jpg")
    let outcome = try await render(
      [sample, "-o", folder.path + "/", "--profile", "iphone,ipad,thumb,android", "--json"])
    let report = try JSONDecoder().decode(Report.self, from: outcome.dataOfFirstLine)
    #expect(report.files.map(\.profile) == ["iphone", "ipad", "thumb", "android"])
    for (file, profile) in zip(report.files, RenditionProfile.builtIn) {
      #expect(file.width <= profile.box.width && file.height <= profile.box.height)
      #expect(file.bytes <= profile.stillBudget ?? .max)
      #expect(file.file == folder.path(of: "large-\(profile.name).jpg"))
    }
    let thumb = try #require(report.files.first { $0.profile == "thumb" })
    #expect(thumb.width == thumb.height)
  }

  @Test("Standard output takes one picture") func standardOutput() async throws {
    let sample = Project.path("media-samples/png/rgba-8.png")
    let outcome = try await render([sample, "-o", "-"])
    #expect(outcome.ending == .exited(0))
    #expect(outcome.output.starts(with: [0x89, 0x50, 0x4E, 0x47]))
  }

  @Test(
    "A folder that cannot be written is the environment's fault, found before any work",
    arguments: ["/nonexistent/out.png", "/nonexistent/folder/", "/dev/null/out.png", "/proc/x/"])
  func missingFolder(output: String) async throws {
    // An input that is looked at would be told of.
    let outcome = try await render(["/nonexistent/input.png", "-o", output])
    #expect(outcome.ending == .exited(3))
    #expect(outcome.errorText.contains("--output: "))
    #expect(!outcome.errorText.contains("input.png"), "\(outcome.errorText)")
  }

  @Test("A byte budget holds, or the rendition fails with byteBudget", arguments: [8000, 3000])
  func budget(bytes: Int) async throws {
    let folder = try TemporaryDirectory()
    let sample = Project.path("media-samples/jpeg/large.jpg")
    let outcome = try await render(
      [sample, "-o", folder.path(of: "out"), "--max-bytes", "\(bytes)", "--json"])
    let report = try JSONDecoder().decode(Report.self, from: outcome.dataOfFirstLine)
    if let file = report.files.first {
      #expect(file.bytes <= bytes)
    } else {
      #expect(report.problems.map(\.code) == ["byteBudget"])
    }
  }
}

extension RenderTests {
  struct Report: Decodable {
    struct File: Decodable {
      let file: String
      let profile: String
      let format: String
      let width: Int
      let height: Int
      let bytes: Int
    }

    struct Reason: Decodable {
      let code: String
      let message: String
    }

    let files: [File]
    let problems: [Reason]
  }
}

extension TemporaryDirectory {
  /// Links to samples under names that do not collide, such as `png-orientation-6.png`.
  fileprivate func link(_ samples: [Sample]) throws -> [String] {
    try makeFolder("in")
    return try samples.map { sample in
      let link = path(of: "in/" + sample.name.replacing("/", with: "-"))
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: sample.path)
      return link
    }
  }
}

extension CommandOutcome {
  fileprivate var dataOfFirstLine: Data { Data((lines.first ?? "").utf8) }
}
