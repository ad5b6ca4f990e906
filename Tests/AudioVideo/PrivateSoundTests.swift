import AudioVideo
import Media
import TestSupport
import Testing

/// Sound of transport streams that the program's map calls private.
@Suite("Private sound", .timeLimit(.minutes(10)))
struct PrivateSoundTests {
  private static let request = RenderRequest(
    operation: .render, renditions: [.init(.thumb)], attachment: .apple)

  /// Changes the type, and the tags of all descriptors, of the stream that a map calls private.
  private func changing(
    _ file: [UInt8], type: UInt8 = 0x06, tag: UInt8? = nil
  ) throws -> [UInt8] {
    var file = file
    var changed = 0
    for packet in stride(from: 0, to: file.count - 187, by: 188) {
      // A packet in which a table of type 2 begins, right behind its pointer.
      guard file[packet + 1] & 0x40 != 0, file[packet + 4...packet + 5] == [0, 2] else { continue }
      let section = packet + 5
      let end = section + 3 + (Int(file[section + 1] & 15) << 8 | Int(file[section + 2])) - 4
      var place = section + 12 + Int(file[section + 11])
      while place < end {
        let next = place + 5 + Int(file[place + 4])
        if file[place] == 0x06 {
          file[place] = type
          var descriptor = place + 5
          while let tag, descriptor < next {
            file[descriptor] = tag
            descriptor += 2 + Int(file[descriptor + 1])
          }
          changed += 1
        }
        place = next
      }
      let sum = checksum(file[section..<end])
      for (index, shift) in [24, 16, 8, 0].enumerated() {
        file[end + index] = UInt8(truncatingIfNeeded: sum >> shift)
      }
    }
    try #require(changed > 0)
    return file
  }

  /// ISO/IEC 13818-1 annex A.
  private func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in
        sum << 1 ^ (sum >> 31) * 0x04C1_1DB7
      }
    }
  }

  @Test(
    "AC-3 beside MPEG-2 film stays, whatever describes it", arguments: [nil, 0xFE] as [UInt8?])
  func kept(tag: UInt8?) async throws {
    let folder = try TemporaryDirectory()
    let made = MadeFilm("dvb.ts", "-c:v mpeg2video -c:a ac3 -mpegts_flags system_b")
    let bytes = try FileBytes.read(try await made.make(in: folder))
    let path = try folder.write(try changing(bytes, tag: tag), to: "private.ts")
    let run = try MediaRun(Self.request, path)
    #expect(run.errors == [])
    #expect(run.reply.media?.codecs == ["mpeg2video", "ac3"])
    let part = try #require(run.reply.attachment)
    let written = try folder.write(run.bytes(part.bytes), to: "written.ts")
    #expect(try await StreamHashes(written) == StreamHashes(path))
    #expect(try await ReferenceProbe(written).codecs == ["mpeg2video", "ac3"])
  }

  @Test(
    "Film whose only sound nobody understands does not pass for silent: it is not attached",
    arguments: [0x06, 0x80] as [UInt8])
  func untold(type: UInt8) async throws {
    let folder = try TemporaryDirectory()
    // ffmpeg writes LPCM as private data that nothing describes.
    let made = MadeFilm("lpcm.ts", "-c:v copy -ar 48000 -c:a pcm_bluray -f mpegts")
    let bytes = try FileBytes.read(try await made.make(in: folder))
    let path = try folder.write(try changing(bytes, type: type), to: "private.ts")
    let run = try MediaRun(Self.request, path)
    let facts = try #require(run.reply.media)
    #expect(facts.codecs == ["h264", "unknown"])
    #expect(run.reply.attachment == nil && !run.reply.isInputPlayable)
    #expect(run.reply.renditions.count == 1)
    let objections = AttachmentRules.apple.objections(
      format: facts.format, bytes: bytes.count, codecs: facts.codecs)
    #expect(objections.map(\.code) == [.unsupportedFormat])
    #expect(objections.first?.message.contains("h264, unknown") == true)
  }

  @Test("Private data beside sound that is understood is left out, and nothing is said")
  func beside() async throws {
    let folder = try TemporaryDirectory()
    let made = MadeFilm(
      "two.ts",
      "-map 0 -map 0:a -c:v copy -c:a:0 aac -ar:a:1 48000 -c:a:1 pcm_bluray -f mpegts")
    let run = try MediaRun(Self.request, try await made.make(in: folder))
    #expect(run.reply.media?.codecs == ["h264", "aac"])
    #expect(run.reply.attachment?.format == .mp4)
  }
}
