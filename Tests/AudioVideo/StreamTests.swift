import AudioVideo
import Foundation
import Media
import TestSupport
import Testing

@Suite("Containers and codecs", .timeLimit(.minutes(10)))
struct StreamTests {
  private static let request = RenderRequest(
    operation: .render,
    renditions: [
      .init(
        box: PixelSize(width: 480, height: 480), fit: .contain, stillBudget: nil,
        animatedBudget: nil)
    ], outputFormat: .png, attachment: .apple)

  /// What notifications play of a film: the file rewritten, the file as it is, or nothing.
  enum Verdict {
    case rewritten(MediaFormat)
    case asItIs
    case posterAlone
  }

  static let films: [(MadeFilm, MediaFormat, Verdict)] = [
    (MadeFilm("ps2.vob", "-c:v mpeg2video -c:a mp2"), .mpeg, .asItIs),
    (MadeFilm("ps1.mpg", "-r 25 -c:v mpeg1video -c:a mp2"), .mpeg, .asItIs),
    (MadeFilm("es2.m2v", "-an -c:v mpeg2video -f mpeg2video"), .mpeg, .asItIs),
    (MadeFilm("es1.m1v", "-r 25 -an -c:v mpeg1video -f mpeg1video"), .mpeg, .asItIs),
    (MadeFilm("mjpeg.avi", "-c:v mjpeg -q:v 3 -c:a pcm_s16le"), .avi, .rewritten(.avi)),
    (MadeFilm("h264.avi", "-c:v copy -c:a mp3"), .avi, .rewritten(.avi)),
    (
      MadeFilm("mpeg4.avi", "-c:v mpeg4 -q:v 3 -c:a mp3 -bitexact"), .avi, .rewritten(.avi)
    ),
    (
      MadeFilm("vp8.webm", "-c:v libvpx -deadline realtime -cpu-used 8 -b:v 1M -c:a libvorbis"),
      .webm, .posterAlone
    ),
    (MadeFilm("h264.ts", "-c copy"), .mpeg, .rewritten(.mp4)),
    (
      MadeFilm("fragmented.mp4", "-c copy -movflags frag_keyframe+empty_moov+default_base_moof"),
      .mp4, .rewritten(.mp4)
    ),
    (
      MadeFilm("late.mov", "-c copy -movflags faststart -f mov", input: "video/h264.mp4"), .mov,
      .rewritten(.mp4)
    ),
    (MadeFilm("turned90.mov", "-c copy -metadata:s:v rotate=90"), .mov, .rewritten(.mp4)),
    (MadeFilm("turned180.mov", "-c copy -metadata:s:v rotate=180"), .mov, .rewritten(.mp4)),
    (MadeFilm("turned270.mp4", "-c copy -metadata:s:v rotate=270"), .mp4, .rewritten(.mp4)),
    (MadeFilm("prores.mov", "-c:v prores -c:a aac"), .mov, .posterAlone),
    (MadeFilm("pcm.mov", "-c:v copy -c:a pcm_s16le"), .mov, .posterAlone),
    (
      MadeFilm("narrow.mp4", "-vf setsar=3/4 -c:v libx264 -crf 18 -c:a copy"), .mp4,
      .rewritten(.mp4)
    ),
    (MadeFilm("wide.avi", "-vf setsar=4/3 -c:v mpeg4 -q:v 2 -an"), .avi, .rewritten(.avi)),
    (
      MadeFilm(
        "covered.mp4",
        "-i \(Project.path("media-samples/jpeg/baseline.jpg")) -map 0 -map 1 -c copy"
          + " -disposition:v:1 attached_pic"), .mp4, .rewritten(.mp4)
    ),
  ]

  @Test(
    "Facts are ffprobe's, the poster is upright and in its shape, and the file is what may be played",
    arguments: films)
  func film(made: MadeFilm, format: MediaFormat, verdict: Verdict) async throws {
    let folder = try TemporaryDirectory()
    let path = try await made.make(in: folder)
    let run = try MediaRun(Self.request, path)
    let (facts, reference) = (try #require(run.reply.media), try await ReferenceProbe(path))
    #expect(facts.format == format)
    #expect(facts.codecs == reference.codecs)
    #expect(facts.displayedSize == reference.displayedSize)
    #expect(facts.turn == (reference.rotation + 360) % 360)
    // An elementary stream tells none.
    #expect((facts.durationSeconds == nil) == (reference.durationSeconds == nil))
    if let ours = facts.durationSeconds, let theirs = reference.durationSeconds {
      #expect(abs(ours - theirs) <= 0.05)
    }
    #expect(facts.hasCover == (made.name == "covered.mp4"))
    #expect(run.errors == [])
    let rendition = try #require(run.reply.renditions.first)
    #expect(rendition.size == reference.displayedSize)
    let picture = try await PixelMap.decode(
      try folder.write(run.bytes(rendition.bytes), to: "poster.png"))
    #expect(try picture.cornersAreThoseDrawn(turned: facts.turn), "\(picture.corners)")
    switch verdict {
    case .asItIs: #expect(run.reply.isInputPlayable && run.reply.attachment == nil)
    case .posterAlone: #expect(!run.reply.isInputPlayable && run.reply.attachment == nil)
    case .rewritten(let target):
      let part = try #require(run.reply.attachment)
      #expect(part.format == target && !run.reply.isInputPlayable)
      let written = try folder.write(run.bytes(part.bytes), to: "out.\(target.rawValue)")
      if format != .mpeg, made.name != "mjpeg.avi" {
        // An MPEG stream frames its units by start codes, MP4 by lengths; JPEG frames lose comments.
        #expect(try await StreamHashes(written) == StreamHashes(path))
      }
      #expect(try await StreamHashes(written, decoded: true) == StreamHashes(path, decoded: true))
      #expect(try await ReferenceProbe.accepts(written))
      let after = try await ReferenceProbe(written)
      #expect(after.codecs == reference.codecs)
      #expect(after.displayedSize == reference.displayedSize)
      #expect(after.rotation == reference.rotation)
    }
  }

  @Test(
    "Sound alone in a film's container is sound, whatever the name says",
    arguments: [MadeFilm("sound.mp4", "-vn -c copy"), MadeFilm("sound.mov", "-vn -c copy")])
  func soundAlone(made: MadeFilm) async throws {
    let folder = try TemporaryDirectory()
    let run = try MediaRun(Self.request, try await made.make(in: folder))
    let facts = try #require(run.reply.media)
    #expect(facts.displayedSize == nil && facts.codecs == ["aac"])
    #expect(run.reply.renditions.isEmpty && run.errors == [])
    #expect(run.reply.attachment?.format == .m4a)
  }

  @Test(
    "A film that was cut gives its poster or a problem, and is never taken for whole",
    arguments: [
      MadeFilm("cut.avi", "-c:v mpeg4 -c:a mp3"),
      MadeFilm("cut.mp4", "-c copy -movflags faststart"),
      MadeFilm("cut.webm", "-c:v libvpx -deadline realtime -cpu-used 8 -b:v 1M -an"),
      MadeFilm("cut.mov", "-c copy"),
    ], [3, 30, 60, 95])
  func cut(made: MadeFilm, percent: Int) async throws {
    let folder = try TemporaryDirectory()
    let whole = try FileBytes.read(try await made.make(in: folder))
    let path = try folder.write(Array(whole.prefix(whole.count * percent / 100)), to: made.name)
    let run = try MediaRun(Self.request, path)
    #expect(run.reply.attachment == nil && !run.reply.isInputPlayable)
    #expect(run.errors.allSatisfy { $0 == .corrupt })
    // WebM may not be attached, and its clusters stand alone: nothing needs to be said.
    #expect(!run.errors.isEmpty || !run.reply.renditions.isEmpty)
  }

  @Test("What is encrypted is named so, and neither shown nor attached")
  func encrypted() async throws {
    let folder = try TemporaryDirectory()
    for made in [
      MadeFilm(
        "film.mp4",
        "-c copy -encryption_scheme cenc-aes-ctr -encryption_key 76a6c65c5ea762046bd749a2e632ccbb"
          + " -encryption_kid a7e61c373e219033c21091fa607bf3b8"),
      MadeFilm(
        "sound.m4a",
        "-vn -c copy -f mp4 -encryption_scheme cenc-aes-ctr -encryption_key"
          + " 76a6c65c5ea762046bd749a2e632ccbb -encryption_kid a7e61c373e219033c21091fa607bf3b8"),
    ] {
      let run = try MediaRun(Self.request, try await made.make(in: folder))
      #expect(run.errors == [.unsupportedFormat], "\(made)")
      #expect(run.reply.attachment == nil && run.reply.renditions.isEmpty, "\(made)")
      #expect(run.reply.media != nil)
    }
  }

  @Test("Sound without channels, and film of which no frame can be decoded, are not attached")
  func undecodable() throws {
    let folder = try TemporaryDirectory()
    var sound = try FileBytes.read(Project.path("media-samples/audio/plain.wav"))
    sound.replaceSubrange(22..<24, with: [0, 0])
    var film = try FileBytes.read(Project.path("media-samples/video/h264-fast-start.mp4"))
    // The media data, but for lengths, are no pictures.
    let data = try #require(Data(film).range(of: Data("mdat".utf8))).upperBound
    for place in data..<film.count { film[place] = 0 }
    for (bytes, name) in [(sound, "sound.wav"), (film, "film.mp4")] {
      let run = try MediaRun(Self.request, try folder.write(bytes, to: name))
      #expect(run.errors == [.corrupt], "\(name)")
      #expect(run.reply.attachment == nil && !run.reply.isInputPlayable, "\(name)")
    }
  }

  @Test("Films without a frame have a problem of their kind")
  func empty() async throws {
    let folder = try TemporaryDirectory()
    let none = try await MadeFilm.drawn(
      "testsrc=s=64x64:r=10", "-t 0 -c:v libx264", name: "none.mp4", in: folder)
    for path in [none, try folder.write([], to: "empty.mp4")] {
      let run = try MediaRun(Self.request, path)
      #expect(run.errors.count == 1)
      #expect(
        run.errors.allSatisfy { [.corrupt, .unsupportedFormat].contains($0) }, "\(run.errors)")
      #expect(run.reply.renditions.isEmpty && run.reply.attachment == nil)
    }
  }
}

extension MediaFacts {
  /// Degrees anti-clockwise that stored frames are turned by; nil for mirrored ones.
  var turn: Int? {
    let turns: [Orientation: Int] = [.up: 0, .right: 270, .left: 90, .down: 180]
    return turns[orientation]
  }
}

extension PixelMap {
  /// Near the corners: upper left, upper right, lower left, lower right.
  var corners: [[UInt8]] {
    let (right, bottom) = (width - 4, height - 4)
    return [self[3, 3], self[right, 3], self[3, bottom], self[right, bottom]]
  }

  /// Whether the samples' corners (red and green above blue and yellow), turned anti-clockwise, are
  /// these.
  func cornersAreThoseDrawn(turned degrees: Int?) throws -> Bool {
    let drawn: [[UInt8]] = [[220, 30, 30], [30, 160, 60], [30, 60, 200], [240, 210, 40]]
    let places: [Int: [Int]] = [
      0: [0, 1, 2, 3], 90: [1, 3, 0, 2], 180: [3, 2, 1, 0], 270: [2, 0, 3, 1],
    ]
    let order = try #require(degrees.flatMap { places[$0] })
    return zip(corners, order).allSatisfy { found, place in
      zip(found, drawn[place]).allSatisfy { abs(Int($0) - Int($1)) <= 45 }
    }
  }
}
