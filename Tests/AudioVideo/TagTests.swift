import AudioVideo
import Foundation
import Media
import TestSupport
import Testing

/// Files that notifications play as they are, but not with what is written into them beside.
@Suite("Tags of sound and film", .timeLimit(.minutes(15)))
struct TagTests {
  private static let request = RenderRequest(
    operation: .render, renditions: [.init(.thumb)], attachment: .apple)

  private func sample(_ name: String) throws -> [UInt8] {
    try FileBytes.read(Project.path("media-samples/\(name)"))
  }

  /// The file to attach; the given one where nothing was rewritten.
  private func attached(_ bytes: [UInt8], _ name: String) throws -> [UInt8] {
    let folder = try TemporaryDirectory()
    let run = try MediaRun(Self.request, try folder.write(bytes, to: name))
    #expect(run.errors == [])
    guard let part = run.reply.attachment else {
      #expect(run.reply.isInputPlayable)
      return bytes
    }
    #expect(!run.reply.isInputPlayable)
    return run.bytes(part.bytes)
  }

  /// The sample as ffmpeg wrote it holds frames from its first byte to its last.
  @Test(
    "MP3 keeps its frames and no tag", arguments: [2, 3, 4] as [UInt8],
    ["none", "id3v1", "enhanced", "ape", "lyrics", "all"])
  func mp3(version: UInt8, behind: String) throws {
    let sound = try sample("audio/plain.mp3")
    let last: [String: [UInt8]] = [
      "id3v1": Tags.id3v1, "enhanced": Tags.enhanced, "ape": Tags.ape + Tags.id3v1,
      "lyrics": Tags.lyrics + Tags.id3v1, "all": Tags.ape + Tags.lyrics + Tags.id3v1,
    ]
    let tagged = Tags.id3(version) + sound + (last[behind] ?? [])
    #expect(try attached(tagged, "tagged.mp3") == sound)
  }

  @Test("Two tags before the frames, one with a footer, and one behind them go")
  func severalTags() throws {
    let sound = try sample("audio/plain.mp3")
    let tagged =
      Tags.id3(3) + Tags.id3(4, flags: 0x10) + [0, 0, 0] + sound + Tags.id3(4, flags: 0x10)
    #expect(try attached(tagged, "tagged.mp3") == sound)
  }

  @Test("What has no tag is taken as it is, to the byte")
  func clean() throws {
    for name in ["plain.mp3", "plain.wav", "plain.aiff"] {
      let folder = try TemporaryDirectory()
      let path = try folder.write(try sample("audio/\(name)"), to: name)
      let run = try MediaRun(Self.request, path)
      #expect(run.reply.attachment == nil, "\(name)")
      #expect(run.reply.isInputPlayable, "\(name)")
    }
  }

  @Test("WAV keeps its format and sound, and no other chunk")
  func wave() throws {
    let sound = try sample("audio/plain.wav")
    let first = Tags.chunk("bext", isBigEndian: false) + Tags.chunk("iXML", isBigEndian: false)
    let last =
      Tags.information + Tags.chunk("id3 ", Tags.id3(3), isBigEndian: false)
      + Tags.chunk("_PMX", isBigEndian: false)
    for (before, behind) in [(first, []), ([], last), (first, last)] {
      let tagged = Tags.adding(before, behind, to: sound, isBigEndian: false)
      #expect(try attached(tagged, "tagged.wav") == sound)
    }
    // Behind the form, where its size does not reach.
    #expect(try attached(sound + Tags.information, "tagged.wav") == sound)
  }

  @Test("WAV written to a pipe, without sizes, gets them")
  func streamedWave() throws {
    let sound = try sample("audio/plain.wav")
    for unknown in [[0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0]] as [[UInt8]] {
      var streamed = sound
      streamed.replaceSubrange(4..<8, with: unknown)
      streamed.replaceSubrange(40..<44, with: unknown)
      #expect(try attached(streamed, "streamed.wav") == sound)
    }
  }

  @Test("AIFF keeps its format and sound, and no other chunk")
  func aiff() throws {
    let sound = try sample("audio/plain.aiff")
    let first = Tags.chunk("NAME", isBigEndian: true) + Tags.chunk("ANNO", isBigEndian: true)
    let last =
      Tags.chunk("ID3 ", Tags.id3(3), isBigEndian: true) + Tags.chunk("APPL", isBigEndian: true)
    #expect(
      try attached(Tags.adding(first, last, to: sound, isBigEndian: true), "tagged.aiff") == sound)
  }

  @Test("AVI keeps its frames and indexes where they are; texts become padding")
  func avi() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.path(of: "tagged.avi")
    let made = try await Command.tool(
      "ffmpeg",
      [
        "-v", "error", "-i", Project.path("media-samples/video/mpeg4.avi"), "-c", "copy",
        "-metadata", "title=Geheim", "-metadata", "comment=+52.5200+013.4050", "-y", path,
      ]
    ).run()
    try #require(made.ending == .exited(0), "\(made.errorText)")
    // XMP and Exif behind the index, where cameras put them.
    let film = try FileBytes.read(path)
    let tagged = Tags.adding(
      [], Tags.chunk("_PMX", isBigEndian: false) + Tags.information, to: film, isBigEndian: false)
    for secret in Tags.secrets {
      #expect(Data(tagged).range(of: Data(secret.utf8)) != nil)
    }
    let cleaned = try attached(tagged, "tagged.avi")
    #expect(cleaned.count == tagged.count)
    for secret in Tags.secrets + ["Lavf", "INFO", "_PMX"] {
      #expect(Data(cleaned).range(of: Data(secret.utf8)) == nil, "\(secret)")
    }
    let written = try folder.write(cleaned, to: "cleaned.avi")
    #expect(try await StreamHashes(written) == StreamHashes(path))
    #expect(try await ReferenceProbe.accepts(written))
    let tags = try await Command.tool(
      "ffprobe", ["-v", "error", "-show_entries", "format_tags:stream_tags", written]
    ).run()
    #expect(!tags.text.contains("TAG:"))
  }

  @Test(
    "What is tags alone, or ends in them, is refused",
    arguments: ["tags.mp3", "header.wav", "header.aiff"])
  func nothing(name: String) throws {
    let bytes =
      switch name {
      case "tags.mp3": Tags.id3(3) + Tags.id3v1
      case "header.wav": Array(try sample("audio/plain.wav").prefix(30))
      default: Array(try sample("audio/plain.aiff").prefix(30))
      }
    let folder = try TemporaryDirectory()
    let run = try MediaRun(Self.request, try folder.write(bytes, to: name))
    #expect(run.reply.attachment == nil && !run.reply.isInputPlayable)
    #expect(run.errors == [.corrupt])
  }

  @Test("Files of others keep their streams, and no tag that ffprobe or exiftool tells")
  func corpus() async throws {
    let formats: Set<String> = ["mp3", "wav", "aiff", "avi"]
    let files = MediaFile.whole.filter { formats.contains($0.format) }
    for file in files.prefix(TestScale.count(8, nightly: .max)) {
      let run = try MediaRun(Self.request, file.path)
      guard let part = run.reply.attachment else {
        #expect(run.reply.isInputPlayable, "\(file): \(run.reply.problems)")
        continue
      }
      let folder = try TemporaryDirectory()
      let path = try folder.write(run.bytes(part.bytes), to: "cleaned.\(file.format)")
      #expect(try await StreamHashes(path) == StreamHashes(file.path), "\(file)")
      #expect(try await ReferenceProbe.accepts(path), "\(file)")
      let tags = try await Command.tool(
        "ffprobe",
        ["-v", "error", "-show_entries", "format_tags:stream_tags=title,comment,artist", path]
      ).run()
      #expect(!tags.text.contains("TAG:"), "\(file): \(tags.text)")
      let before = try await ReferenceProbe(file.path).durationSeconds
      let after = try await ReferenceProbe(path).durationSeconds
      if let before, let after { #expect(abs(before - after) <= 0.05, "\(file)") }
    }
  }
}
