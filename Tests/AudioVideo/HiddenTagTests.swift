import AudioVideo
import Foundation
import Media
import TestSupport
import Testing

/// Places, names and comments that lie in the midst of a file, not at its ends.
@Suite("Tags in the midst of sound and film", .timeLimit(.minutes(15)))
struct HiddenTagTests {
  private static let request = RenderRequest(
    operation: .render, renditions: [.init(.thumb)], attachment: .apple)
  private static let text = Array("Geheim +52.5200+013.4050 niemand".utf8)

  private func sample(_ name: String) throws -> [UInt8] {
    try FileBytes.read(Project.path("media-samples/\(name)"))
  }

  private func ffmpeg(_ arguments: [String]) async throws {
    let made = try await Command.tool("ffmpeg", ["-v", "error"] + arguments).run()
    try #require(made.ending == .exited(0), "\(made.errorText)")
  }

  private func holds(_ bytes: [UInt8], _ secret: String) -> Bool {
    Data(bytes).range(of: Data(secret.utf8)) != nil
  }

  /// The file to attach, in which neither its bytes nor exiftool nor ffprobe tell what the given one
  /// told; ffmpeg reads it from end to end.
  private func cleaned(
    _ path: String, as name: String, in folder: borrowing TemporaryDirectory
  ) async throws -> String {
    #expect(holds(try FileBytes.read(path), "Geheim"))
    let run = try MediaRun(Self.request, path)
    #expect(run.errors == [])
    let part = try #require(run.reply.attachment, "\(run.reply.problems)")
    let bytes = run.bytes(part.bytes)
    for secret in Tags.secrets { #expect(!holds(bytes, secret), "\(secret)") }
    let written = try folder.write(bytes, to: name)
    let told = try await Command.tool("exiftool", ["-ee3", "-a", "-u", "-G1", "-s", written]).run()
    let probed = try await Command.tool(
      "ffprobe", ["-v", "error", "-show_format", "-show_streams", "-show_programs", written]
    ).run()
    for secret in ["Geheim", "52.52", "13.405", "GPS"] {
      #expect(!told.text.contains(secret), "\(told.text)")
      #expect(!probed.text.contains(secret), "\(probed.text)")
    }
    #expect(
      try await ReferenceProbe.complaints(written)
        .isSubset(of: try await ReferenceProbe.complaints(path)))
    return written
  }

  // MARK: Sound

  @Test("MP3 files that were joined keep all frames, and no tag between them")
  func joined() throws {
    let sound = try sample("audio/plain.mp3")
    let bare = Array(Tags.ape.dropFirst(32))
    let footless = bare.dropLast(12) + [0, 0, 0, 0] + bare.suffix(8)
    let between: [[UInt8]] = [
      Tags.id3v1 + Tags.id3(3), Tags.ape + Tags.id3v1 + Tags.id3(4, flags: 0x10),
      Tags.lyrics + Tags.id3v1, Tags.enhanced + Tags.id3(2), Array(footless), Self.text,
      Tags.id3(4) + Tags.id3(3) + [0, 0, 0],
      // A tag whose own length lies.
      Array("ID3".utf8) + [3, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F] + Self.text,
    ]
    let tagged = Tags.id3(3) + between.flatMap { sound + $0 } + sound + Tags.id3v1
    let folder = try TemporaryDirectory()
    let run = try MediaRun(Self.request, try folder.write(tagged, to: "joined.mp3"))
    let part = try #require(run.reply.attachment, "\(run.reply.problems)")
    let expected = [[UInt8]](repeating: sound, count: between.count + 1).flatMap(\.self)
    #expect(run.bytes(part.bytes) == expected)
  }

  @Test("An MP3 that was cut within a frame before it was joined loses that frame alone")
  func cutAndJoined() throws {
    let sound = try sample("audio/plain.mp3")
    let folder = try TemporaryDirectory()
    for count in [3000, 3001, 3100] {
      let tagged = Array(sound.prefix(count)) + Tags.id3(3) + sound
      let run = try MediaRun(Self.request, try folder.write(tagged, to: "cut.mp3"))
      let part = try #require(run.reply.attachment, "\(run.reply.problems)")
      let bytes = run.bytes(part.bytes)
      for secret in Tags.secrets { #expect(!holds(bytes, secret)) }
      #expect(bytes.suffix(sound.count) == sound[...])
      let first = bytes.count - sound.count
      #expect(first > count - 420 && first <= count && bytes.prefix(first) == sound.prefix(first))
    }
  }

  @Test("ADTS with tags between its frames becomes M4A without them")
  func adts() async throws {
    let sound = try sample("audio/plain.aac")
    let folder = try TemporaryDirectory()
    let path = try folder.write(
      Tags.id3(4) + sound + Tags.id3(4) + sound + Tags.id3v1, to: "joined.aac")
    _ = try await cleaned(path, as: "cleaned.m4a", in: folder)
  }

  // MARK: AVI

  /// The parts of an AVI file of one RIFF chunk: what comes before the film's chunks, those, and the
  /// index.
  private func parts(
    _ film: [UInt8]
  ) throws -> (head: [UInt8], chunks: [UInt8], index: [UInt8]) {
    let movi = try #require(Data(film).range(of: Data("movi".utf8))).lowerBound
    let size = (0..<4).reduce(0) { $0 | Int(film[movi - 4 + $1]) << (8 * $1) }
    let end = movi + size
    return (Array(film[12..<movi - 8]), Array(film[movi + 4..<end]), Array(film[end...]))
  }

  private func avi(_ head: [UInt8], _ chunks: [UInt8], _ index: [UInt8]) -> [UInt8] {
    Tags.chunk(
      "RIFF",
      Array("AVI ".utf8) + head
        + Tags.chunk("LIST", Array("movi".utf8) + chunks, isBigEndian: false) + index,
      isBigEndian: false)
  }

  @Test("AVI: what lies between packets, behind them and behind the file goes; packets stay")
  func avi() async throws {
    let folder = try TemporaryDirectory()
    let path = Project.path("media-samples/video/mpeg4.avi")
    let (head, chunks, index) = try parts(try FileBytes.read(path))
    let text = Tags.chunk("JUNK", Self.text, isBigEndian: false)
    let foreign =
      Tags.chunk("GPS0", Self.text, isBigEndian: false) + Tags.information
      + Tags.chunk("02tx", Self.text, isBigEndian: false)
      + Tags.chunk("00tx", Self.text, isBigEndian: false)
    let first = 8 + (4..<8).reduce(0) { $0 | Int(chunks[$1]) << (8 * ($1 - 4)) }
    let padded = first + first % 2
    let files: [(String, [UInt8])] = [
      ("behind", avi(head, chunks + text + foreign, index)),
      // Without its index, which counts bytes.
      ("before", avi(head, text + foreign + chunks, [])),
      ("between", avi(head, chunks[..<padded] + foreign + text + chunks[padded...], [])),
      ("damaged", avi(head, chunks[..<padded] + Self.text + chunks[padded...], [])),
      ("after", avi(head, chunks, index) + foreign + text),
    ]
    for (name, bytes) in files {
      let tagged = try folder.write(bytes, to: "\(name).avi")
      let written = try await cleaned(tagged, as: "\(name)-cleaned.avi", in: folder)
      #expect(try FileBytes.read(written).count == bytes.count)
      if name != "damaged" {
        #expect(try await StreamHashes(written) == StreamHashes(path), "\(name)")
      }
    }
  }

  @Test("AVI: comments and Exif blocks of Motion JPEG frames go, the pictures stay")
  func motionJPEG() async throws {
    let folder = try TemporaryDirectory()
    try await ffmpeg([
      "-i", Project.path("media-samples/video/h264.mp4"), "-frames:v", "3", "-c:v", "mjpeg", "-q:v",
      "3", folder.path(of: "%d.jpg"),
    ])
    for number in 1...3 {
      let written = try await Command.tool(
        "exiftool",
        [
          "-q", "-overwrite_original", "-Comment=Geheim", "-GPSLatitude=52.52",
          "-GPSLatitudeRef=N", "-XMP:Creator=Geheim", folder.path(of: "\(number).jpg"),
        ]
      ).run()
      try #require(written.ending == .exited(0), "\(written.errorText)")
    }
    let path = folder.path(of: "tagged.avi")
    try await ffmpeg(["-i", folder.path(of: "%d.jpg"), "-c", "copy", "-y", path])
    let written = try await cleaned(path, as: "cleaned.avi", in: folder)
    #expect(!holds(try FileBytes.read(written), "Exif"))
    #expect(try await pictures(written) == pictures(path))
  }

  /// Hashes of what the film shows and sounds like, decoded.
  private func pictures(_ path: String) async throws -> [Substring] {
    let outcome = try await Command.tool(
      "ffmpeg",
      ["-v", "error", "-i", path, "-map", "0:V?", "-map", "0:a?", "-f", "streamhash", "-"]
    ).run()
    return outcome.lines
  }

  // MARK: MPEG

  /// The film with user data before its first group of pictures.
  private func withUserData(_ film: [UInt8]) throws -> [UInt8] {
    let place = try #require(Data(film).range(of: Data([0, 0, 1, 0xB8]))).lowerBound
    return film[..<place] + [0, 0, 1, 0xB2] + Self.text + film[place...]
  }

  @Test(
    "MPEG: names of services, private streams, metadata and texts within the film are overwritten",
    arguments: ["m2v", "mpg", "ts", "m2ts"])
  func mpeg(form: String) async throws {
    let folder = try TemporaryDirectory()
    let source = Project.path("media-samples/video/mpeg2.ts")
    let plain = folder.path(of: "plain.m2v")
    try await ffmpeg(["-i", source, "-map", "0:v", "-c", "copy", "-f", "mpeg2video", plain])
    let film = try folder.write(try withUserData(try FileBytes.read(plain)), to: "tagged.m2v")
    let note = try folder.write(Self.text, to: "note.bin")
    let path = folder.path(of: "tagged.\(form)")
    let inputs = ["-fflags", "+genpts", "-r", "25", "-i", film, "-i", source]
    switch form {
    case "m2v": break
    case "mpg":
      try await ffmpeg(
        inputs + ["-map", "0:v", "-map", "1:a", "-c", "copy", "-f", "vob", "-y", path])
      let bytes = try FileBytes.read(path)
      let packs = try #require(
        Data(bytes).range(of: Data([0, 0, 1, 0xBA]), options: .backwards)
      ).lowerBound
      let packet = [0, 0, 1, 0xBF, 0, UInt8(Self.text.count)] + Self.text
      let last = [0, 0, 1, 0xF3, 0, UInt8(Self.text.count)] + Self.text
      try folder.write(bytes[..<packs] + packet + last + bytes[packs...], to: "tagged.mpg")
    default:
      // ffmpeg puts no data into Blu-ray's form.
      let isPlain = form == "ts"
      try await ffmpeg(
        inputs + (isPlain ? ["-f", "data", "-i", note] : []) + ["-map", "0:v", "-map", "1:a"]
          + (isPlain ? ["-map", "2:d"] : ["-mpegts_m2ts_mode", "1"]) + [
            "-c", "copy", "-c:a", isPlain ? "copy" : "ac3", "-metadata", "service_name=Geheim",
            "-metadata",
            "service_provider=Geheim", "-f", "mpegts", "-y", path,
          ])
    }
    let written = try await cleaned(path, as: "cleaned.\(form)", in: folder)
    #expect(try FileBytes.read(written).count == FileBytes.read(path).count)
    #expect(try await pictures(written) == pictures(path))
    let sound = form == "m2v" ? [] : form == "m2ts" ? ["ac3"] : ["mp2"]
    let streams = try await ReferenceProbe(written)
    #expect(streams.codecs == ["mpeg2video"] + sound)
  }

  // MARK: MP4 and QuickTime

  @Test(
    "Places in user data of camera and tracks, in timed metadata and in sub-titles are left out",
    arguments: ["camm", "gpmd", "mebx", "tx3g"])
  func timedMetadata(kind: String) async throws {
    let folder = try TemporaryDirectory()
    let lines = try folder.write(
      Array("1\n00:00:00,000 --> 00:00:02,000\n".utf8) + Self.text + [10, 10], to: "lines.srt")
    let made = folder.path(of: "made.mp4")
    try await ffmpeg([
      "-i", Project.path("media-samples/video/h264.mp4"), "-i", lines, "-map", "0", "-map", "1",
      "-c", "copy", "-c:s", "mov_text", "-metadata:s:v", "handler_name=Geheim", "-y", made,
    ])
    var bytes = try FileBytes.read(made)
    if kind != "tx3g" {
      // The track as cameras write it: by its entry's name and its handler.
      for (old, new) in [("tx3g", kind), ("sbtl", "meta")] {
        while let place = Data(bytes).range(of: Data(old.utf8)) {
          bytes.replaceSubrange(place, with: Array(new.utf8))
        }
      }
    }
    let path = try folder.write(bytes, to: "tagged.mp4")
    let written = try await cleaned(path, as: "cleaned.mp4", in: folder)
    #expect(try await StreamHashes(written) == StreamHashes(path))
    #expect(!holds(try FileBytes.read(written), kind))
  }

  /// A box of ISO/IEC 14496-12 §4.2.
  private func box(_ name: String, _ contents: [UInt8]) -> [UInt8] {
    let size = UInt32(contents.count + 8)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) }
      + name.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } + contents
  }

  @Test("Boxes with places at any level of the file go, in fragments too")
  func boxes() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.path(of: "fragments.mp4")
    try await ffmpeg([
      "-i", Project.path("media-samples/video/h264.mp4"), "-c", "copy", "-movflags",
      "frag_keyframe+empty_moov+default_base_moof", "-y", path,
    ])
    let user = box(
      "udta",
      box("\u{A9}xyz", [0, UInt8(Self.text.count), 0x15, 0xC7] + Self.text)
        + box("loci", [0, 0, 0, 0, 0x15, 0xC7] + Self.text + [UInt8](repeating: 0, count: 14)))
    let packet = box(
      "uuid",
      [
        0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF,
        0xAC,
      ] + Self.text)
    let meta = box("meta", [0, 0, 0, 0] + box("xml ", [0, 0, 0, 0] + Self.text))
    var tagged: [UInt8] = []
    var rest = try FileBytes.read(path)[...]
    while rest.count >= 8 {
      let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      let name = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
      var contents = Array(rest.prefix(size).dropFirst(8))
      if name == "moov" || name == "moof" {
        if name == "moov" { contents = inTracks(contents, user + packet + meta) }
        contents += user + packet + meta
      }
      // Data is counted from the fragment's beginning: behind the media data nothing moves.
      tagged += name == "moof" ? Array(rest.prefix(size)) : box(name, contents)
      if name == "mdat" { tagged += box("free", Self.text) + packet + user }
      rest = rest.dropFirst(size)
    }
    let written = try await cleaned(
      try folder.write(tagged, to: "tagged.mp4"), as: "cleaned.mp4", in: folder)
    #expect(try await StreamHashes(written) == StreamHashes(path))
  }

  private func inTracks(_ movie: [UInt8], _ added: [UInt8]) -> [UInt8] {
    var (result, rest) = ([UInt8](), movie[...])
    while rest.count >= 8 {
      let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      let name = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
      let contents = Array(rest.prefix(size).dropFirst(8))
      result += name == "trak" ? box(name, contents + added) : Array(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    return result
  }

  // MARK: Within the film

  @Test(
    "Messages that cameras leave within H.264 are overwritten, whatever holds the film",
    arguments: ["mp4", "mov", "avi", "ts"])
  func supplementalH264(form: String) async throws {
    let folder = try TemporaryDirectory()
    let path = folder.path(of: "tagged.\(form)")
    // AVCHD's identifier of times and places, and zeros that need escapes.
    let identifier = "17ee8c60-f84d-11d9-8cd6-0800200c9a66"
    try await ffmpeg([
      "-i", Project.path("media-samples/video/h264.mp4"), "-map", "0:v", "-c", "copy", "-bsf:v",
      "h264_metadata=sei_user_data=\(identifier)+Geheim +52.5200+013.4050", "-y", path,
    ])
    let format = form == "avi" ? "avi" : "mp4"
    let written = try await cleaned(path, as: "cleaned.\(format)", in: folder)
    #expect(try await pictures(written) == pictures(path))
  }

  @Test("Messages that cameras leave within HEVC are overwritten; the encoder's settings stay")
  func supplementalHEVC() async throws {
    let folder = try TemporaryDirectory()
    let plain = folder.path(of: "plain.hevc")
    let source = Project.path("media-samples/video/hevc-hvc1.mp4")
    try await ffmpeg(["-i", source, "-c", "copy", "-an", "-f", "hevc", plain])
    let film = try FileBytes.read(plain)
    let message = [UInt8](repeating: 0xAB, count: 16) + Self.text + [0, 0, 3, 1] + Self.text
    // The byte that keeps start codes away does not count.
    let unit: [UInt8] =
      [0, 0, 0, 1, 39 << 1, 1, 5, UInt8(message.count - 1)] + message + [0x80]
    // Before each slice of a key frame.
    var (tagged, place) = ([UInt8](), 0)
    while place < film.count {
      if film[place...].starts(with: [0, 0, 1]), place + 3 < film.count,
        [19, 20, 21].contains(film[place + 3] >> 1 & 0x3F)
      {
        tagged += unit
      }
      tagged.append(film[place])
      place += 1
    }
    let raw = try folder.write(tagged, to: "tagged.hevc")
    let path = folder.path(of: "tagged.mp4")
    try await ffmpeg(["-r", "12", "-i", raw, "-c", "copy", "-tag:v", "hvc1", "-y", path])
    let written = try await cleaned(path, as: "cleaned.mp4", in: folder)
    #expect(try await pictures(written) == pictures(path))
    #expect(
      holds(try FileBytes.read(written), "x265 (build")
        == holds(try FileBytes.read(path), "x265 (build"))
  }

  @Test("Bytes between the packets of a program stream cost no packet")
  func programStreamGaps() async throws {
    let film = try sample("video/mpeg1.mpg")
    let folder = try TemporaryDirectory()
    let places = [2048, 4000, 9001]
    for place in places {
      let bytes = film[..<place] + [UInt8](repeating: 0, count: 5000) + Self.text + film[place...]
      let path = try folder.write(Array(bytes), to: "gap.mpg")
      let written = try await cleaned(path, as: "cleaned.mpg", in: folder)
      #expect(try await pictures(written).count == pictures(path).count)
    }
  }
}
