import Foundation
import Media
import TestSupport
import Testing

/// `wirephoto probe` beside ffprobe: every sound and film file of the samples and the corpus, whole or
/// not, by night; by day every eighth.
@Suite("Probe beside ffprobe", .timeLimit(.minutes(30)))
struct ReferenceTests {
  /// What is told of one file, in the same words by both.
  private struct Facts {
    var codecs: [String] = []
    var size: PixelSize?
    var turn: Int?
    var seconds: Double?

    init(_ report: [String: Any]) {
      codecs = report["codecs"] as? [String] ?? []
      if let width = report["width"] as? Int, let height = report["height"] as? Int {
        size = PixelSize(width: width, height: height)
      }
      let turns = [1: 0, 3: 180, 6: 270, 8: 90]
      turn = size == nil ? nil : (report["orientation"] as? Int).flatMap { turns[$0] }
      seconds = report["durationSeconds"] as? Double
    }

    init(_ probe: ReferenceProbe) {
      codecs = probe.codecs
      size = probe.displayedSize
      turn = size == nil ? nil : (probe.rotation + 360) % 360
      seconds = probe.durationSeconds
    }

    /// The matters in which two differ, with what is told.
    func differences(from other: Facts) -> [String: String] {
      var found: [String: String] = [:]
      if codecs != other.codecs { found["codecs"] = "\(codecs), \(other.codecs)" }
      if size != other.size { found["size"] = "\(String(describing: (size, other.size)))" }
      if turn != other.turn { found["rotation"] = "\(String(describing: (turn, other.turn)))" }
      let isClose =
        switch (seconds, other.seconds) {
        case (let one?, let two?): abs(one - two) <= 0.05
        case (nil, nil): true
        default: false
        }
      if !isClose { found["duration"] = "\(String(describing: (seconds, other.seconds)))" }
      return found
    }
  }

  /// Of the corpus: path, matter, reason.
  private static func exceptions() throws -> Set<String> {
    let path = Project.path("Tests/AudioVideo/exceptions.tsv")
    let rows = String(decoding: try FileBytes.read(path), as: UTF8.self).split(separator: "\n")
    return Set(rows.dropFirst().map { $0.split(separator: "\t").prefix(2).joined(separator: " ") })
  }

  @Test("Duration within 50 ms, codecs, displayed size and rotation are ffprobe's")
  func everyFile() async throws {
    let others = Samples.folder("truncated", "hostile").filter {
      MediaFile.formats.contains($0.format.rawValue)
    }
    let all =
      MediaFile.samples + others.map { MediaFile(path: $0.path, format: $0.format.rawValue) }
      + MediaFile.corpus(nil)
    let stride = TestScale.count(8, nightly: 1)
    let files = all.enumerated().filter { $0.offset % stride == 0 }.map(\.element)
    let outcome = try await Command.built(
      "wirephoto", ["probe", "--json"] + files.map(\.path)
    ).run(limit: .seconds(600))
    let reports = try outcome.lines.map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
    try #require(reports.count == files.count)
    let exceptions = try Self.exceptions()
    var excused: Set<String> = []
    for (file, report) in zip(files, reports) {
      #expect(report["path"] as? String == file.path)
      let reference = Facts(try await ReferenceProbe(file.path))
      for (matter, values) in Facts(report).differences(from: reference) {
        let name = exceptions.first {
          $0.hasSuffix(" \(matter)") && file.path.hasSuffix($0.dropLast(matter.count + 1))
        }
        if let name { excused.insert(name) }
        #expect(name != nil, "\(file.path): \(matter): \(values)")
      }
    }
    // An exception that is none any more goes from the list.
    if TestScale.isNightly, Corpus.shared != nil { #expect(excused == exceptions) }
    print("\(files.count) files beside ffprobe, \(excused.count) differences excused")
  }
}
