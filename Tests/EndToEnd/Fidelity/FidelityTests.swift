import Foundation
import Media
import TestSupport
import Testing

/// Renditions of the corpus beside what independent decoders show. By night all pictures that those
/// decoders read, by day a hundred, spread over formats and features.
@Suite(.enabled(if: Corpus.shared != nil, "no corpus beside the project"), .timeLimit(.minutes(60)))
struct FidelityTests {
  private static let formats: Set<String> = ["jpeg", "png", "gif", "webp", "heic", "avif"]

  private static let readable = Corpus.files().filter {
    formats.contains($0.format) && $0.decode == "ok" && $0.category != "bomb"
  }

  static let entries = TestScale.isNightly ? readable : spread(readable, count: 100)

  @Test("Every picture has the size, the turn and the colours that others show")
  func pictures() async throws {
    let folder = try TemporaryDirectory()
    let renditions = try await Rendering.run(Self.entries.map(\.path), in: folder)
    let measured = try await ReferenceMeasure.run(
      zip(Self.entries, renditions).compactMap { entry, rendition in
        rendition.file.map { .init(path: entry.path, format: entry.format, rendition: $0) }
      })
    var verdicts = FidelityVerdicts(exceptions: try FidelityExceptions.load())
    for (entry, rendition) in zip(Self.entries, renditions) {
      let isDamaged = ["malformed", "truncated"].contains(entry.category)
      let isCompared = rendition.file != nil && measured[entry.path] != nil
      // Damage may be refused, and what one decoder makes of it is no reference for another.
      guard !isDamaged || isCompared else { continue }
      verdicts.judge(entry.name, rendition, measured[entry.path])
    }
    #expect(verdicts.failures == [])
    #expect(verdicts.exactCount > 0 && verdicts.scaledCount > 0)
    // A hundred kinds of file are as many oddities: by day the share says little.
    let share = Double(verdicts.exactBelow) / Double(max(1, verdicts.exactCount))
    #expect(
      share <= (TestScale.isNightly ? 0.02 : 0.05),
      "\(verdicts.exactBelow) of \(verdicts.exactCount) below 40 dB")
    print("Fidelity: \(verdicts.summary)")
  }

  @Test("Scaled far down, every picture is what a float Lanczos-3 of the full decode is")
  func reduced() async throws {
    let large = Self.entries.filter {
      ($0.width ?? 0) >= 300 && ["ok", "odd-but-valid"].contains($0.category)
    }
    let box = "150x110"
    let folder = try TemporaryDirectory()
    let renditions = try await Rendering.run(large.map(\.path), in: folder, box: box)
    let measured = try await ReferenceMeasure.run(
      zip(large, renditions).compactMap { entry, rendition in
        rendition.file.map { .init(path: entry.path, format: entry.format, rendition: $0) }
      }, box: box)
    var verdicts = FidelityVerdicts(exceptions: try FidelityExceptions.load())
    for (entry, rendition) in zip(large, renditions) {
      verdicts.judge(entry.name, rendition, measured[entry.path])
    }
    #expect(verdicts.failures == [])
    #expect(verdicts.scaledCount > 0)
    print("Fidelity at \(box): \(verdicts.summary)")
  }

  /// A fixed choice: of each kind in turn its next file, kinds being format and features.
  private static func spread(_ entries: [Corpus.Entry], count: Int) -> [Corpus.Entry] {
    let kinds = Dictionary(grouping: entries) { entry in
      "\(entry.format) \(entry.features.sorted().joined(separator: ";"))"
    }
    let groups = Dictionary(grouping: kinds.sorted { $0.key < $1.key }) { $0.value[0].format }
      .sorted { $0.key < $1.key }.map(\.value)
    var chosen: [Corpus.Entry] = []
    var turn = 0
    while chosen.count < count, turn < count {
      for group in groups where chosen.count < count {
        // Far apart within the format's sorted kinds, so that neighbours differ much.
        let kind = group[turn * 37 % group.count].value
        let entry = kind[turn / group.count % kind.count]
        if !chosen.contains(where: { $0.path == entry.path }) { chosen.append(entry) }
      }
      turn += 1
    }
    return chosen
  }
}
