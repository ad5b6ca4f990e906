import Foundation
import Media
import TestSupport
import Testing

/// Every file of the corpus through the built program: a picture or a typed problem for each, and
/// the command lives on. By day a fifth of the files, by night all.
@Suite(.enabled(if: Corpus.shared != nil, "no corpus beside the project"), .timeLimit(.minutes(20)))
struct CorpusTests {
  private static let entries = Corpus.files().enumerated()
    .filter { $0.offset % TestScale.count(5, nightly: 1) == 0 }.map(\.element)

  private static let decoded: Set<String> = ["jpeg", "png", "gif", "webp", "heic", "avif"]

  /// Files that the catalogue calls good and that we refuse, each for a reason.
  private static func isRefusedOnPurpose(_ entry: Corpus.Entry, _ codes: [String]) -> Bool {
    // giflib refuses LZW codes of 11 bits at the start, as the specification's 8 has it.
    if entry.name.hasSuffix("issue_2811.gif") { return codes == ["corrupt"] }
    // Arithmetic coding, sequences, overlays and the like: by name.
    return codes.contains("unsupportedFormat") || codes.contains("tooManyPixels")
      || codes.contains("tooManyFrames")
  }

  /// Links with names that cannot collide, since the corpus has many of one name.
  private func link(_ folder: borrowing TemporaryDirectory) throws -> [String] {
    try Self.entries.enumerated().map { index, entry in
      let suffix = entry.name.split(separator: "/").last.map { $0.suffix(40) } ?? ""
      let path = folder.path(of: "\(index)-\(suffix)")
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: entry.path)
      return path
    }
  }

  @Test("probe tells of every file, and calls no good picture bad") func probe() async throws {
    let folder = try TemporaryDirectory()
    let paths = try link(folder)
    let outcome = try await Command.built("wirephoto", ["probe", "--json"] + paths)
      .run(limit: .seconds(600))
    #expect(outcome.ending == .exited(1) || outcome.ending == .exited(0))
    try #require(outcome.lines.count == paths.count)
    for (entry, line) in zip(Self.entries, outcome.lines) {
      let report = try JSONDecoder().decode(ProbeLine.self, from: Data(line.utf8))
      let known = report.problems.filter { Problem.Code(rawValue: $0.code) == nil }
      #expect(known.isEmpty, "\(entry)")
      guard entry.category == "ok", entry.decode == "ok", Self.decoded.contains(entry.format) else {
        continue
      }
      let errors = report.problems.filter { $0.severity == "error" }.map(\.code)
      #expect(report.format == entry.format, "\(entry)")
      #expect(errors.isEmpty || Self.isRefusedOnPurpose(entry, errors), "\(entry): \(errors)")
    }
  }

  @Test("render makes a picture of every good file, and names the problem of every other")
  func render() async throws {
    let folder = try TemporaryDirectory()
    let paths = try link(folder)
    let output = try folder.makeFolder("out")
    let outcome = try await Command.built(
      "wirephoto", ["render", "--json", "--size", "320x320", "-o", output + "/"] + paths
    ).run(limit: .seconds(900))
    #expect(outcome.ending == .exited(1))
    try #require(outcome.lines.count == paths.count, "\(outcome.errorText.suffix(2000))")
    for (entry, line) in zip(Self.entries, outcome.lines) {
      let report = try JSONDecoder().decode(RenderTests.Report.self, from: Data(line.utf8))
      let codes = report.problems.map(\.code)
      #expect(!report.files.isEmpty || !codes.isEmpty, "\(entry)")
      #expect(!codes.contains("sandboxViolation"), "\(entry)")
      #expect(!codes.contains("decoderCrashed"), "\(entry)")
      guard entry.category == "ok", entry.decode == "ok", Self.decoded.contains(entry.format) else {
        continue
      }
      #expect(
        report.files.count == 1 || Self.isRefusedOnPurpose(entry, codes), "\(entry): \(codes)")
    }
  }
}

private struct ProbeLine: Decodable {
  struct Reason: Decodable {
    let severity: String
    let code: String
  }

  let format: String
  let problems: [Reason]
}
