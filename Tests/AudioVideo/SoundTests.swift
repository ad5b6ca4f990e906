import AudioVideo
import Media
import TestSupport
import Testing

@Suite("Sound", .timeLimit(.minutes(10)))
struct SoundTests {
  private static let request = RenderRequest(
    operation: .render, renditions: [.init(.thumb)], attachment: .apple)

  private static let plain = "audio/plain.wav"

  /// What ffmpeg makes of a sample, what it is then, and what notifications play of it.
  static let sounds: [(MadeFilm, MediaFormat, MediaFormat?)] = [
    (MadeFilm("constant.mp3", "-c:a libmp3lame -b:a 64k", input: plain), .mp3, .mp3),
    (MadeFilm("variable.mp3", "-c:a libmp3lame -q:a 6", input: plain), .mp3, .mp3),
    (
      MadeFilm(
        "unmarked.mp3", "-c:a libmp3lame -q:a 6 -write_xing 0 -id3v2_version 0", input: plain),
      .mp3, .mp3
    ),
    (
      MadeFilm(
        "tagged.mp3",
        "-c:a libmp3lame -q:a 6 -id3v2_version 3 -write_id3v1 1 -metadata title=Geheim",
        input: plain), .mp3, .mp3
    ),
    (MadeFilm("frames.aac", "-c:a aac -f adts", input: plain), .aac, .m4a),
    (MadeFilm("coded.m4a", "-c:a aac -metadata comment=Geheim", input: plain), .m4a, .m4a),
    (MadeFilm("lossless.m4a", "-c:a alac", input: plain), .m4a, .m4a),
    (MadeFilm("deep.wav", "-c:a pcm_s24le", input: plain), .wav, .wav),
    (MadeFilm("float.wav", "-c:a pcm_f32le", input: plain), .wav, .wav),
    (MadeFilm("wide.wav", "-c:a pcm_s16le -rf64 always", input: plain), .wav, .wav),
    (MadeFilm("deep.aiff", "-c:a pcm_s24be", input: plain), .aiff, .aiff),
    (MadeFilm("swapped.aifc", "-c:a pcm_s16le -f aiff", input: plain), .aiff, .aiff),
    (MadeFilm("free.flac", "-c:a flac", input: plain), .flac, nil),
    (MadeFilm("free.ogg", "-c:a libvorbis", input: plain), .ogg, nil),
    (MadeFilm("free.opus", "-c:a libopus", input: plain), .ogg, nil),
  ]

  @Test(
    "Facts are ffprobe's, and what may be played holds the same sound without tags",
    arguments: sounds)
  func sound(made: MadeFilm, format: MediaFormat, played: MediaFormat?) async throws {
    let folder = try TemporaryDirectory()
    let path = try await made.make(in: folder)
    let run = try MediaRun(Self.request, path)
    let (facts, reference) = (try #require(run.reply.media), try await ReferenceProbe(path))
    #expect(facts.format == format)
    #expect(facts.codecs == reference.codecs)
    let (ours, theirs) = (facts.durationSeconds, reference.durationSeconds)
    #expect(abs(try #require(ours) - (try #require(theirs))) <= 0.05)
    #expect(facts.displayedSize == nil && !facts.hasCover)
    #expect(run.errors == [] && run.reply.renditions.isEmpty)
    #expect(AttachmentRules.apple.playable(format, codecs: facts.codecs) == played)
    guard let played else {
      #expect(run.reply.attachment == nil && !run.reply.isInputPlayable)
      let objections = AttachmentRules.apple.objections(
        format: format, bytes: 1000, codecs: facts.codecs)
      #expect(objections.map(\.code) == [.unsupportedFormat])
      #expect(objections.map(\.severity) == [.error])
      return
    }
    guard let part = run.reply.attachment else {
      #expect(run.reply.isInputPlayable)
      return
    }
    let written = try folder.write(run.bytes(part.bytes), to: "out.\(played.rawValue)")
    #expect(part.format == played)
    #expect(try await StreamHashes(written) == StreamHashes(path))
    #expect(try await ReferenceProbe.accepts(written))
    let tags = try await Command.tool(
      "ffprobe", ["-v", "error", "-show_entries", "format_tags", "-of", "compact", written]
    ).run()
    for word in ["Geheim", "Lavf", "encoder"] { #expect(!tags.text.contains(word), "\(tags.text)") }
  }

  /// ID3v2.2 (PIC), 2.3 and 2.4 (APIC); unsynchronised whole, or in 2.4 frame by frame.
  @Test(
    "A cover comes out of each version of ID3v2 as it went in, unsynchronised or not",
    arguments: [2, 3, 4] as [UInt8], ["jpeg/baseline.jpg", "png/rgb-8.png"])
  func covers(version: UInt8, picture: String) throws {
    let cover = try FileBytes.read(Project.path("media-samples/\(picture)"))
    let sound = try FileBytes.read(Project.path("media-samples/audio/plain.mp3"))
    let folder = try TemporaryDirectory()
    for isUnsynchronised in [false, true] {
      let tag = Tags.id3(version, cover: cover, isUnsynchronised: isUnsynchronised)
      let run = try MediaRun(Self.request, try folder.write(tag + sound, to: "covered.mp3"))
      let part = try #require(run.reply.cover, "\(version) \(isUnsynchronised)")
      #expect(run.bytes(part.bytes) == cover)
      #expect(part.format == (picture.hasPrefix("png") ? .png : .jpeg))
      #expect(run.reply.media?.hasCover == true)
      let file = try #require(run.reply.attachment)
      #expect(run.bytes(file.bytes) == sound)
    }
  }

  @Test("The covers of MP4 and FLAC come out as they went in", arguments: ["m4a", "flac"])
  func otherCovers(fileExtension: String) async throws {
    let folder = try TemporaryDirectory()
    let picture = Project.path("media-samples/jpeg/baseline.jpg")
    let codec = fileExtension == "flac" ? "flac" : "aac"
    let made = MadeFilm(
      "covered.\(fileExtension)",
      "-i \(picture) -map 0 -map 1 -c:a \(codec) -c:v copy -disposition:v:0 attached_pic",
      input: Self.plain)
    let run = try MediaRun(Self.request, try await made.make(in: folder))
    let part = try #require(run.reply.cover)
    #expect(run.bytes(part.bytes) == (try FileBytes.read(picture)))
  }
}
