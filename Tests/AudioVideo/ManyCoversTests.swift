import AudioVideo
import Foundation
import Media
import TestSupport
import Testing

/// Tags with more pictures than anybody looks at.
@Suite("Many covers", .timeLimit(.minutes(10)))
struct ManyCoversTests {
  private static let request = RenderRequest(
    operation: .render, renditions: [.init(.thumb)], attachment: .apple)
  private static let count = 5000

  private let cover: [UInt8]
  private let others: [[UInt8]]

  init() throws {
    cover = try FileBytes.read(Project.path("media-samples/jpeg/baseline.jpg"))
    let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
    others = [[UInt8]](repeating: picture, count: Self.count - 1)
  }

  private func expectCoverAndSound(_ run: MediaRun, _ format: MediaFormat) throws -> [UInt8] {
    #expect(run.errors == [])
    let part = try #require(run.reply.cover)
    #expect(run.bytes(part.bytes) == cover)
    let file = try #require(run.reply.attachment)
    #expect(file.format == format)
    return run.bytes(file.bytes)
  }

  @Test(
    "ID3v2 with 5,000 pictures gives the first, and its sound", arguments: [2, 3, 4] as [UInt8])
  func mp3(version: UInt8) throws {
    let sound = try FileBytes.read(Project.path("media-samples/audio/plain.mp3"))
    let folder = try TemporaryDirectory()
    let tag = Tags.id3(version, covers: [cover] + others)
    for tags in [tag, Tags.id3(version) + tag] {
      let run = try MediaRun(Self.request, try folder.write(tags + sound, to: "many.mp3"))
      #expect(try expectCoverAndSound(run, .mp3) == sound)
    }
  }

  private func box(_ name: String, _ contents: [UInt8]) -> [UInt8] {
    let size = contents.count + 8
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + Array(name.utf8)
      + contents
  }

  /// Puts bytes into a box at its end, and corrects the sizes of those around it; `path` from the
  /// outermost in.
  private func adding(_ bytes: [UInt8], to path: [String], of file: [UInt8]) throws -> [UInt8] {
    var file = file
    var start = 0
    var end = 0
    for name in path {
      let found = try #require(Data(file)[start...].range(of: Data(name.utf8))?.lowerBound)
      let size = file[found - 4..<found].reduce(0) { $0 << 8 | Int($1) }
      end = found - 4 + size
      let new = size + bytes.count
      for (index, shift) in [24, 16, 8, 0].enumerated() {
        file[found - 4 + index] = UInt8(truncatingIfNeeded: new >> shift)
      }
      start = found + 4
    }
    file.insert(contentsOf: bytes, at: end)
    return file
  }

  @Test(
    "M4A with 5,000 pictures gives the first, and its sound, in one box or in a box each",
    arguments: [false, true])
  func m4a(isBoxEach: Bool) async throws {
    let folder = try TemporaryDirectory()
    // The index comes last: what grows moves no sound.
    let made = MadeFilm(
      "covered.m4a",
      "-i \(Project.path("media-samples/jpeg/baseline.jpg")) -map 0 -map 1 -c:a aac -c:v copy"
        + " -disposition:v:0 attached_pic", input: "audio/plain.wav")
    let path = try await made.make(in: folder)
    let data = others.map { box("data", [0, 0, 0, 14, 0, 0, 0, 0] + $0) }
    let list = ["moov", "udta", "meta", "ilst"]
    let file = try FileBytes.read(path)
    let many =
      isBoxEach
      ? try adding(data.flatMap { box("covr", $0) }, to: list, of: file)
      : try adding(data.flatMap { $0 }, to: list + ["covr"], of: file)
    let run = try MediaRun(Self.request, try folder.write(many, to: "many.m4a"))
    let sound = try expectCoverAndSound(run, .m4a)
    let written = try folder.write(sound, to: "written.m4a")
    let plain = try MediaRun(Self.request, path)
    let part = try #require(plain.reply.attachment)
    #expect(sound == plain.bytes(part.bytes))
    #expect(try await ReferenceProbe.accepts(written))
  }

  @Test("A first picture that is none is passed over")
  func broken() throws {
    let sound = try FileBytes.read(Project.path("media-samples/audio/plain.mp3"))
    let folder = try TemporaryDirectory()
    let tag = Tags.id3(3, covers: [[1, 2, 3, 4], cover] + others)
    let run = try MediaRun(Self.request, try folder.write(tag + sound, to: "many.mp3"))
    #expect(try expectCoverAndSound(run, .mp3) == sound)
  }
}
