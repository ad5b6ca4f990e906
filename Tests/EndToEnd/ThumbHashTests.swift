import Foundation
import Media
import Origin
import TestSupport
import Testing

/// ThumbHashes in manifests, decoded by the Python package of their format. Scripts/nightly installs
/// it below .build; where it is not, the test says so.
@Suite(.timeLimit(.minutes(30))) struct ThumbHashTests {
  private struct Verdict: Decodable {
    let difference: Double
    let ratios: [Double]
    let agrees: Bool
    let hasAlpha: Bool
  }

  /// Compared with the picture itself, not with its rendition: of thin red strokes, 4:2:0 chroma moves
  /// the JPEG's own average by 7.3 of 255, before the format's steps of 4. The hash is made of the
  /// picture, from which it is 4.1 away.
  private static let ofSource: Set<String> = [
    "files/pillow/Tests/images/bitmap_font_stroke_raqm.png"
  ]

  private static let package = Project.path(".build/thumbhash")

  private func reference(_ lines: [String]) async throws -> CommandOutcome {
    // Debian's, which has Pillow.
    var command = Command(
      "/usr/bin/python3",
      [Project.path("Tests/EndToEnd/Fidelity/reference/thumbhash_average.py")],
      input: Array(lines.joined(separator: "\n").utf8))
    command.environment["PYTHONPATH"] = Self.package
    return try await command.run(limit: .seconds(600))
  }

  /// Paths below the corpus, or below the samples where there is none.
  private func pictures() -> (folder: String, names: [String]) {
    let formats: Set<String> = ["jpeg", "png", "gif", "webp", "heic", "avif"]
    let corpus = Corpus.files(category: "ok").filter {
      formats.contains($0.format) && $0.decode == "ok" && ($0.width ?? 0) > 16
    }
    guard !corpus.isEmpty else {
      let samples = Samples.all.filter { $0.outcome == .picture && $0.format.kind == .image }
      return (Project.path("media-samples"), samples.map(\.name))
    }
    let stride = max(1, corpus.count / TestScale.count(12, nightly: 300))
    return (
      Project.path("../shared/corpus"),
      corpus.enumerated().filter { $0.offset % stride == 0 }.map(\.element.name)
    )
  }

  @Test func `ThumbHashes give the average colour and the shape of their pictures`() async throws {
    guard try await reference([]).ending == .exited(0) else {
      print("skipped: the Python package thumbhash-python is not in .build/thumbhash")
      return
    }
    let (folder, names) = pictures()
    let site = try JobSite.make(serving: folder)
    try await site.submit(count: names.count) { index in
      "/" + (names[index].addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? "")
    }
    #expect(
      try await site.drain(["--deadline", "1h", "--max-deadline", "1h"]).ending == .exited(0))
    var (tasks, shown) = ([String](), [String]())
    for (index, name) in names.enumerated() {
      let place = site.root.path(of: "jobs/outbox/job\(index)")
      let manifest = try JSONSerialization.jsonObject(
        with: Data(try FileBytes.read("\(place)/manifest.json")))
      guard
        let attachments = (manifest as? [String: Any])?["attachments"] as? [[String: Any]],
        let attachment = attachments.first, let hash = attachment["thumbHash"] as? String,
        let renditions = attachment["renditions"] as? [[String: Any]],
        let file = renditions.first?["file"] as? String
      else { continue }
      let picture = Self.ofSource.contains(name) ? "\(folder)/\(name)" : "\(place)/\(file)"
      let task = try JSONSerialization.data(withJSONObject: ["hash": hash, "path": picture])
      tasks.append(String(decoding: task, as: UTF8.self))
      shown.append(name)
    }
    #expect(tasks.count > names.count / 2)
    let outcome = try await reference(tasks)
    #expect(outcome.ending == .exited(0), "\(outcome.errorText)")
    let verdicts = try outcome.lines.map {
      try JSONDecoder().decode(Verdict.self, from: Data($0.utf8))
    }
    try #require(verdicts.count == tasks.count)
    for (name, verdict) in zip(shown, verdicts) {
      #expect(verdict.difference <= 10, "\(name): \(verdict.difference)")
      // The longer side has seven steps, five beside alpha; the package decodes three at least of the
      // shorter one.
      let steps = verdict.hasAlpha ? 5.0 : 7.0
      let expected = max(verdict.ratios[1], 3 / steps)
      let isRight = abs(verdict.ratios[0] - expected) <= 0.5 / steps + 0.04
      #expect(isRight, "\(name): \(verdict.ratios)")
      #expect(verdict.agrees || verdict.ratios[1] > 1 - 1 / steps, "\(name): \(verdict.ratios)")
    }
    let worst = verdicts.map(\.difference).max() ?? 0
    print("\(verdicts.count) ThumbHashes, average colour at most \(worst) of 255 away")
  }
}
