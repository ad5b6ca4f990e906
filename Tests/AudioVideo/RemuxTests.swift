import AudioVideo
import Foundation
import Media
import TestSupport
import Testing

/// Every file that is attached, beside the file that it came from, as ffmpeg and ffprobe read both: by
/// night of all the samples and the corpus, by day of some.
@Suite("Attached files beside their sources", .timeLimit(.minutes(40)))
struct RemuxTests {
  static let files: [MediaFile] = {
    let others = Samples.folder("truncated", "hostile", "mismatched").filter {
      MediaFile.formats.contains($0.format.rawValue)
    }
    let all =
      MediaFile.samples + others.map { MediaFile(path: $0.path, format: $0.format.rawValue) }
      + MediaFile.corpus(nil)
    let stride = TestScale.count(6, nightly: 1)
    return all.enumerated().filter { $0.offset % stride == 0 }.map(\.element)
  }()

  @Test(
    "ffmpeg has no more to say of the attached file than of its source, and streams are the same")
  func attached() async throws {
    var (attached, asTheyAre) = (0, 0)
    for rules in [AttachmentRules.apple, .wide] {
      let request = RenderRequest(
        operation: .render, renditions: [.init(.thumb)], attachment: rules)
      for file in Self.files {
        let run = try MediaRun(request, file.path)
        if run.reply.isInputPlayable { asTheyAre += 1 }
        guard let part = run.reply.attachment else { continue }
        attached += 1
        try await compare(run.bytes(part.bytes), part.format, with: file)
      }
    }
    print(
      "\(Self.files.count) files: \(attached) rewritten, \(asTheyAre) as they are, by two rules")
    #expect(attached > 0 && asTheyAre > 0)
  }

  private func compare(
    _ bytes: [UInt8], _ format: MediaFormat, with file: MediaFile
  ) async throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write(bytes, to: "attached.\(format.rawValue)")
    let known = try await ReferenceProbe.complaints(file.path)
    let complaints = try await ReferenceProbe.complaints(path)
    #expect(complaints.subtracting(known).isEmpty, "\(file): \(complaints.subtracting(known))")
    let probe = try await Command.tool("ffprobe", ["-v", "error", "-show_streams", path]).run()
    #expect(probe.ending == .exited(0) && !probe.text.isEmpty, "\(file)")
    #expect(MediaFormat.sniff(Array(bytes.prefix(4096))) == format, "\(file)")
    let (before, after) = (try await hashes(file.path, file.format), try await hashes(path, nil))
    #expect(after == before, "\(file)")
    let (source, written) = (try await ReferenceProbe(file.path), try await ReferenceProbe(path))
    #expect(written.displayedSize == source.displayedSize, "\(file)")
    #expect(written.rotation == source.rotation, "\(file)")
    #expect(written.codecs == source.codecs, "\(file)")
  }

  /// Of the streams that are sound and film; where ffmpeg has a word to say, too.
  private func hashes(_ path: String, _ format: String?) async throws -> [Substring] {
    let filter = format == "aac" ? ["-bsf:a", "aac_adtstoasc"] : []
    return try await Command.tool(
      "ffmpeg",
      ["-v", "quiet", "-i", path, "-map", "0:V?", "-map", "0:a?", "-c", "copy"] + filter
        + ["-f", "streamhash", "-"]
    ).run().lines
  }
}
