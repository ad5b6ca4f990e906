import AudioVideo
import Files
import Foundation
import Media
import TestSupport
import Testing

@Suite("Playable files and covers", .timeLimit(.minutes(15)))
struct PlayableTests {
  private static let request = RenderRequest(
    operation: .render, renditions: [.init(.thumb)], attachment: .apple)

  static let remuxed: [(String, MediaFormat)] = [
    ("video/h264.mp4", .mp4), ("video/h264-fast-start.mp4", .mp4), ("video/h264-rotated.mp4", .mp4),
    ("video/hevc-hev1.mp4", .mp4), ("video/hevc-hvc1.mp4", .mp4), ("video/h264.mov", .mp4),
    ("audio/cover.m4a", .m4a), ("audio/lossless.m4a", .m4a), ("audio/plain.aac", .m4a),
  ]

  @Test("Streams come out bit for bit, in a file that others read", arguments: remuxed)
  func identical(sample: String, format: MediaFormat) async throws {
    let path = Project.path("media-samples/\(sample)")
    let run = try MediaRun(Self.request, path)
    let part = try #require(run.reply.attachment, "\(run.reply.problems)")
    #expect(part.format == format)
    let folder = try TemporaryDirectory()
    let written = try folder.write(run.bytes(part.bytes), to: "out.\(format.rawValue)")
    #expect(try await StreamHashes(written) == StreamHashes(path))
    #expect(try await ReferenceProbe.accepts(written))
    let (before, after) = (try await ReferenceProbe(path), try await ReferenceProbe(written))
    #expect(after.codecs == before.codecs)
    #expect(after.displayedSize == before.displayedSize)
    #expect(after.rotation == before.rotation)
    let drift = try #require(after.durationSeconds) - (try #require(before.durationSeconds))
    #expect(abs(drift) <= 0.1)
  }

  @Test("The index comes before the media data, and HEVC is tagged hvc1", arguments: remuxed)
  func order(sample: String, format: MediaFormat) async throws {
    let run = try MediaRun(Self.request, Project.path("media-samples/\(sample)"))
    let part = try #require(run.reply.attachment)
    let bytes = Data(run.bytes(part.bytes))
    let index = try #require(bytes.range(of: Data("moov".utf8)))
    let data = try #require(bytes.range(of: Data("mdat".utf8)))
    #expect(index.lowerBound < data.lowerBound)
    #expect(bytes.range(of: Data("hev1".utf8), in: 0..<data.lowerBound) == nil)
    #expect(
      (bytes.range(of: Data("hvc1".utf8), in: 0..<data.lowerBound) != nil)
        == sample.contains("hevc"))
  }

  @Test("The place of a recording and all tags are left out")
  func tags() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.path(of: "tagged.mov")
    let made = try await Command.tool(
      "ffmpeg",
      [
        "-v", "error", "-i", Project.path("media-samples/video/h264.mov"), "-c", "copy",
        "-metadata", "location=+52.5200+013.4050/", "-metadata", "title=Geheim", "-metadata",
        "comment=Niemand", "-y", path,
      ]
    ).run()
    try #require(made.ending == .exited(0), "\(made.errorText)")
    #expect(Data(try FileBytes.read(path)).range(of: Data("+52.52".utf8)) != nil)
    let run = try MediaRun(Self.request, path)
    let part = try #require(run.reply.attachment)
    let bytes = Data(run.bytes(part.bytes))
    for text in ["+52.52", "Geheim", "Niemand", "Lavf"] {
      #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text)")
    }
    // QuickTime's and 3GPP's names of a place.
    #expect(bytes.range(of: Data([0xA9, 0x78, 0x79, 0x7A])) == nil)
    #expect(bytes.range(of: Data("loci".utf8)) == nil)
  }

  /// Chapters, time codes and what phones write: dates, places, models, names.
  @Test("Nothing that exiftool tells of a recording is left")
  func everyTag() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.path(of: "tagged.mov")
    let chapters = try folder.write(
      """
      ;FFMETADATA1
      title=Geheim
      [CHAPTER]
      TIMEBASE=1/1000
      START=0
      END=2000
      title=Geheimkapitel

      """, to: "chapters.txt")
    let made = try await Command.tool(
      "ffmpeg",
      [
        "-v", "error", "-i", Project.path("media-samples/video/h264.mov"), "-i", chapters, "-map",
        "0", "-map_metadata", "1", "-map_chapters", "1", "-c", "copy", "-metadata",
        "creation_time=2021-03-04T05:06:07Z", "-metadata:s:v", "handler_name=Geheimhandler",
        "-timecode", "01:02:03:04", "-y", path,
      ]
    ).run()
    try #require(made.ending == .exited(0), "\(made.errorText)")
    let written = try await Command.tool(
      "exiftool",
      [
        "-q", "-overwrite_original", "-UserData:GPSCoordinates=52.52, 13.405, 30",
        "-Keys:GPSCoordinates=52.52, 13.405, 30", "-Keys:Model=Geheimphone",
        "-ItemList:Comment=Geheim", "-XMP:Creator=Geheimautor", path,
      ]
    ).run()
    try #require(written.ending == .exited(0), "\(written.errorText)")
    let before = try await told(path)
    for word in ["Geheim", "GPS", "2021:03:04", "Chapter"] { #expect(before.contains(word)) }
    let run = try MediaRun(Self.request, path)
    let part = try #require(run.reply.attachment, "\(run.reply.problems)")
    let clean = try folder.write(run.bytes(part.bytes), to: "clean.mp4")
    let after = try await told(clean)
    #expect(after.contains("MajorBrand"))
    for word in ["Geheim", "GPS", "2021", "Chapter", "XMP", "Keys", "TimeCode", "UserData"] {
      #expect(!after.contains(word), "\(word): \(after)")
    }
    #expect(try await StreamHashes(clean) == StreamHashes(path))
    #expect(try await ReferenceProbe.accepts(clean))
  }

  private func told(_ path: String) async throws -> String {
    try await Command.tool("exiftool", ["-G1", "-a", "-u", "-s", "-ee", "--System:all", path]).run()
      .text
  }

  @Test(
    "Codecs and containers that notifications do not play are not rewritten",
    arguments: [
      "video/h264.mkv", "video/vp9.webm", "video/mpeg1.mpg",
      "audio/plain.flac", "audio/opus.ogg",
    ])
  func untouched(sample: String) throws {
    let run = try MediaRun(Self.request, Project.path("media-samples/\(sample)"))
    #expect(run.reply.attachment == nil)
    #expect(run.reply.isInputPlayable == sample.hasSuffix(".mpg"))
    #expect(run.errors == [])
  }

  @Test("Nothing is rewritten unless that was asked for")
  func unasked() throws {
    let request = RenderRequest(operation: .render, renditions: [.init(.thumb)])
    let run = try MediaRun(request, Project.path("media-samples/video/h264.mov"))
    #expect(run.reply.attachment == nil)
    #expect(run.reply.renditions.count == 1)
  }

  @Test("A cover comes out as it was put in", arguments: ["audio/cover.mp3", "audio/cover.m4a"])
  func covers(sample: String) async throws {
    let path = Project.path("media-samples/\(sample)")
    let run = try MediaRun(Self.request, path)
    let cover = try #require(run.reply.cover)
    let folder = try TemporaryDirectory()
    let expected = folder.path(of: "cover.bin")
    let outcome = try await Command.tool(
      "ffmpeg",
      ["-v", "error", "-i", path, "-map", "0:v", "-c", "copy", "-f", "image2pipe", "-y", expected]
    ).run()
    try #require(outcome.ending == .exited(0), "\(outcome.errorText)")
    #expect(run.bytes(cover.bytes) == (try FileBytes.read(expected)))
    #expect(MediaFormat.sniff(run.bytes(cover.bytes)) == cover.format)
  }

  @Test("A film that ends early is not rewritten")
  func truncated() throws {
    let whole = try FileBytes.read(Project.path("media-samples/video/h264-fast-start.mp4"))
    let folder = try TemporaryDirectory()
    let path = try folder.write(Array(whole.prefix(whole.count * 6 / 10)), to: "cut.mp4")
    let run = try MediaRun(Self.request, path)
    #expect(run.reply.attachment == nil)
    #expect(run.errors == [.corrupt])
  }
}
