import Foundation
import Origin
import TestSupport
import Testing

/// Animations whose later frames are cut: their first frame is whole, the file is not.
@Suite(.timeLimit(.minutes(15))) struct CutAnimationTests {
  static let names = ["gif/animated.gif", "png/animated.png", "webp/animated.webp"]

  private struct Report: Decodable {
    struct Reason: Decodable {
      let severity: String
      let code: String
    }

    let frames: Int?
    let problems: [Reason]
  }

  private func run(_ arguments: [String]) async throws -> (CommandOutcome, Report) {
    let outcome = try await Command.built("wirephoto", arguments).run()
    return (outcome, try JSONDecoder().decode(Report.self, from: Data(outcome.output)))
  }

  private func cut(_ name: String, in folder: borrowing TemporaryDirectory) throws -> String {
    let bytes = try FileBytes.read(Project.path("media-samples/\(name)"))
    return try folder.write(
      Array(bytes.prefix(bytes.count * 7 / 10)),
      to: name.split(separator: "/").last.map(String.init) ?? "")
  }

  @Test("--deep finds whole ones whole, and cut ones corrupt", arguments: names)
  func deep(name: String) async throws {
    let folder = try TemporaryDirectory()
    let whole = try await run(["probe", "--json", "--deep", Project.path("media-samples/\(name)")])
    #expect(whole.1.problems.filter { $0.severity == "error" }.isEmpty)
    let report = try await run(["probe", "--json", "--deep", try cut(name, in: folder)]).1
    #expect(report.problems.filter { $0.severity == "error" }.map(\.code) == ["corrupt"])
  }

  @Test("render refuses a cut one, and with --partial shows what there is", arguments: names)
  func render(name: String) async throws {
    let folder = try TemporaryDirectory()
    let path = try cut(name, in: folder)
    let output = folder.path(of: "out")
    let (refused, report) = try await run(["render", path, "-o", output, "--json"])
    #expect(refused.ending == .exited(1))
    #expect(report.problems.map(\.code) == ["corrupt"])
    let (partial, warned) = try await run(["render", path, "-o", output, "--json", "--partial"])
    #expect(partial.ending == .exited(0))
    #expect(warned.problems.map(\.severity) == ["warning"])
    #expect(warned.problems.map(\.code) == ["corrupt"])
    #expect(try folder.names().contains { $0.hasPrefix("out") })
  }

  @Test("--partial plays the frames of a cut one that are whole", arguments: names)
  func frames(name: String) async throws {
    let folder = try TemporaryDirectory()
    let output = folder.path(of: "out.gif")
    _ = try await run(["render", try cut(name, in: folder), "-o", output, "--json", "--partial"])
    let whole = try #require(
      try await run(["probe", "--json", Project.path("media-samples/\(name)")]).1.frames)
    let shown = try #require(try await run(["probe", "--json", output]).1.frames)
    #expect(shown > whole / 2 && shown < whole, "\(shown) of \(whole)")
  }

  @Test("A still PNG without its end chunk is shown whole, but --deep tells")
  func pngEnd() async throws {
    let folder = try TemporaryDirectory()
    let bytes = try FileBytes.read(Project.path("media-samples/png/rgb-8.png"))
    for missing in [1, 4, 8, 12] {
      let path = try folder.write(Array(bytes.dropLast(missing)), to: "\(missing).png")
      let deep = try await run(["probe", "--json", "--deep", path]).1
      #expect(deep.problems.map(\.code) == ["corrupt"], "\(missing)")
      #expect(deep.problems.map(\.severity) == ["error"], "\(missing)")
      let (outcome, report) = try await run(
        ["render", path, "-o", folder.path(of: "\(missing)"), "--json"])
      #expect(outcome.ending == .exited(0))
      #expect(report.problems.isEmpty)
    }
  }

  @Test("A job for a cut one shows what came, before its alternate", arguments: names)
  func job(name: String) async throws {
    let folder = try TemporaryDirectory()
    try folder.makeFolder("served")
    let bytes = try FileBytes.read(Project.path("media-samples/\(name)"))
    try folder.write(Array(bytes.prefix(bytes.count * 7 / 10)), to: "served/cut")
    try folder.write(
      try FileBytes.read(Project.path("media-samples/jpeg/baseline.jpg")), to: "served/whole.jpg")
    let site = try JobSite.make(serving: folder.path(of: "served"))
    try await site.submit(
      "job", image: "/cut", more: ["imageURLs": [site.origin.url("/whole.jpg")]])
    try await site.drain()
    let manifest = try site.manifest("job")
    #expect(manifest.codes.contains("corrupt"))
    #expect(manifest.content.attachments.map(\.rung) == ["partial"])
    #expect(manifest.content.attachments.first?.source.format != "jpeg")
  }
}
