import Files
import Foundation
import Media
import TestSupport
import Testing

/// `wirephoto probe` on media-samples/, against what their maker says of them.
@Suite(.timeLimit(.minutes(15))) struct ProbeTests {
  /// The pictures that a decoder of today's build reads.
  private static let pictures = Samples.all.filter {
    [.jpeg, .png, .gif, .webp, .heic, .avif].contains($0.format) && $0.outcome == .picture
  }

  private static func probe(
    _ arguments: [String], exit code: Int32 = 0
  ) async throws -> [[String: Any]] {
    let outcome = try await Command.built("wirephoto", ["probe", "--json"] + arguments).run()
    #expect(outcome.ending == .exited(code))
    return try outcome.lines.map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(object as? [String: Any])
    }
  }

  @Test("Every picture is told by format, displayed size, orientation, frames and alpha")
  func facts() async throws {
    let reports = try await Self.probe(Self.pictures.map(\.path))
    try #require(reports.count == Self.pictures.count)
    for (sample, report) in zip(Self.pictures, reports) {
      let name = Comment(rawValue: sample.name)
      #expect(report["path"] as? String == sample.path, name)
      #expect(report["format"] as? String == sample.format.rawValue, name)
      #expect(report["width"] as? Int == sample.size?.width, name)
      #expect(report["height"] as? Int == sample.size?.height, name)
      #expect(report["orientation"] as? Int == Int(sample.orientation.rawValue), name)
      #expect(report["frames"] as? Int == sample.frames, name)
      #expect(report["hasAlpha"] as? Bool == sample.hasAlpha, name)
      #expect(report["kind"] as? String == "image", name)
    }
  }

  @Test("All keys are present, in the contract's order") func keys() async throws {
    let sample = Project.path("media-samples/jpeg/baseline.jpg")
    let outcome = try await Command.built("wirephoto", ["probe", "--json", sample]).run()
    let keys = [
      "path", "bytes", "kind", "format", "typeIdentifier", "mimeType", "width", "height",
      "orientation", "frames", "durationSeconds", "hasAlpha", "bitDepth", "colorSpace", "codecs",
      "decodedBytes", "extensionMatches", "attachable", "problems",
    ]
    let positions = try keys.map { key in
      try #require(outcome.text.range(of: "\"\(key)\":")?.lowerBound, "\(key)")
    }
    #expect(positions == positions.sorted())
  }

  @Test(
    "Only what is no media makes probe exit 1",
    arguments: [
      ("other/page.html", 1), ("other/drawn.bmp", 0), ("jpeg/baseline.jpg", 0),
    ])
  func exitCode(name: String, code: Int32) async throws {
    _ = try await Self.probe([Project.path("media-samples/\(name)")], exit: code)
  }

  @Test("--check exits 1 for a picture that a notification does not show")
  func check() async throws {
    let webp = Project.path("media-samples/webp/lossy.webp")
    let reports = try await Self.probe(["--check", webp], exit: 1)
    #expect(reports.first?["attachable"] as? Bool == false)
    let jpeg = Project.path("media-samples/jpeg/baseline.jpg")
    _ = try await Self.probe(["--check", jpeg], exit: 0)
  }

  @Test("A WebP called .jpg is a WebP whose extension does not match")
  func mismatchedName() async throws {
    let reports = try await Self.probe([Project.path("media-samples/mismatched/webp.jpg")])
    #expect(reports.first?["format"] as? String == "webp")
    #expect(reports.first?["extensionMatches"] as? Bool == false)
  }

  @Test("--deep tells a file whose data end early; the header alone does not")
  func truncation() async throws {
    let path = Project.path("media-samples/truncated/baseline.jpg")
    let deep = try await Self.probe(["--deep", path])
    let codes = (deep.first?["problems"] as? [[String: Any]])?.compactMap { $0["code"] as? String }
    #expect(codes == ["corrupt"])
  }

  @Test("--deep tells a broken colour profile")
  func brokenProfile() async throws {
    let path = Project.path("media-samples/jpeg/broken-profile.jpg")
    let reports = try await Self.probe([path]) + Self.probe(["--deep", path])
    let codes = reports.map { report in
      (report["problems"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    }
    #expect(codes == [[], ["brokenProfile"]])
    #expect(reports.allSatisfy { $0["attachable"] as? Bool == true })
  }

  @Test("A path that is not UTF-8 is probed and rendered")
  func rawBytes() async throws {
    let folder = try TemporaryDirectory()
    let name = folder.path + "/" + FileName.text([0x63, 0x61, 0x66, 0xE9, 0x2E, 0x6A, 0x70, 0x67])
    let sample = try FileBytes.read(Project.path("media-samples/jpeg/baseline.jpg"))
    try NewFile.write(sample, to: name, overwriting: false)
    let reports = try await Self.probe([name])
    #expect(reports.first?["path"] as? String == folder.path + "/caf\u{FFFD}.jpg")
    #expect(reports.first?["width"] as? Int == 480)
    #expect(reports.first?["extensionMatches"] as? Bool == true)
    let output = folder.path(of: "out.jpg")
    let outcome = try await Command.built("wirephoto", ["render", name, "-o", output]).run()
    #expect(outcome.ending == .exited(0), "\(outcome.errorText)")
    #expect(try FileBytes.head(of: output, count: 2) == [0xFF, 0xD8])
  }

  @Test("Standard input is probed, and has no name that could match") func standardInput()
    async throws
  {
    let bytes = try FileBytes.read(Project.path("media-samples/png/rgba-16.png"))
    let outcome = try await Command.built("wirephoto", ["probe", "--json", "-"], input: bytes).run()
    let report = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
    #expect(report?["path"] as? String == "-")
    #expect(report?["format"] as? String == "png")
    #expect(report?["extensionMatches"] is NSNull)
  }
}
