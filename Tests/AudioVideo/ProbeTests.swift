import AudioVideo
import Media
import TestSupport
import Testing

@Suite("Facts of sound and film", .timeLimit(.minutes(15)))
struct ProbeTests {
  @Test(
    "Duration, codecs, displayed size and turn are those that ffprobe tells",
    arguments: MediaFile.whole)
  func facts(file: MediaFile) async throws {
    let run = try MediaRun(RenderRequest(operation: .probe), file.path)
    let reference = try await ReferenceProbe(file.path)
    let facts = try #require(run.reply.media, "\(run.reply.problems)")
    #expect(facts.codecs == reference.codecs)
    #expect(facts.displayedSize == reference.displayedSize)
    let turns: [Orientation: Int] = [.up: 0, .right: -90, .left: 90, .down: 180]
    if let turn = turns[facts.orientation] {
      #expect((turn - reference.rotation) % 360 == 0)
    } else {
      Issue.record("\(facts.orientation)")
    }
    if let expected = reference.durationSeconds {
      #expect(abs(try #require(facts.durationSeconds) - expected) <= 0.05)
    } else {
      #expect(facts.durationSeconds == nil)
    }
  }

  @Test(
    "A sample is of the catalogue's format, size and turn",
    arguments: Samples.folder("audio", "video"))
  func catalogue(sample: Sample) throws {
    let facts = try #require(
      try MediaRun(RenderRequest(operation: .probe), sample.path).reply.media)
    #expect(facts.format == sample.format)
    #expect(facts.orientation == sample.orientation)
    if sample.folder == "video" { #expect(facts.displayedSize == sample.size) }
    #expect(facts.hasCover == (sample.folder == "audio" && sample.outcome == .picture))
  }

  @Test(
    "What lies or ends early has a problem of its kind",
    arguments: [
      "hostile/sample-count-lies.mp4", "hostile/size-lies.mkv", "truncated/video-h264.mp4",
    ], [RenderRequest.Operation.probe, .probeDeep, .render])
  func damaged(sample: String, operation: RenderRequest.Operation) throws {
    let request = RenderRequest(
      operation: operation, renditions: operation == .render ? [.init(.iphone)] : [])
    let run = try MediaRun(request, Project.path("media-samples/\(sample)"))
    #expect(run.errors == [.corrupt])
    #expect(run.reply.renditions.isEmpty)
  }

  @Test("A deep probe finds nothing wrong with whole files", arguments: MediaFile.samples)
  func deep(file: MediaFile) throws {
    let run = try MediaRun(RenderRequest(operation: .probeDeep), file.path)
    #expect(run.errors == [])
  }

  @Test("A deep probe tells a film cut in its middle, its index first, a shallow one does not")
  func cut() throws {
    let whole = try FileBytes.read(Project.path("media-samples/video/h264-fast-start.mp4"))
    let folder = try TemporaryDirectory()
    let path = try folder.write(Array(whole.prefix(whole.count * 6 / 10)), to: "cut.mp4")
    #expect(try MediaRun(RenderRequest(operation: .probe), path).errors == [])
    #expect(try MediaRun(RenderRequest(operation: .probeDeep), path).errors == [.corrupt])
  }

  @Test("A film of more pixels than are allowed is not decoded")
  func limits() throws {
    let request = RenderRequest(
      operation: .render, renditions: [.init(.iphone)],
      limits: DecodeLimits(maxPixels: 240 * 160 - 1))
    let run = try MediaRun(request, Project.path("media-samples/video/h264.mp4"))
    #expect(run.errors == [.tooManyPixels])
    #expect(run.reply.media?.displayedSize == PixelSize(width: 240, height: 160))
  }

  @Test(
    "What is no sound or film is refused",
    arguments: [
      ("jpeg/baseline.jpg", Problem.Code.unsupportedFormat),
      ("mismatched/page.jpg", .unsupportedFormat),
    ])
  func others(sample: String, code: Problem.Code) throws {
    let path = Project.path("media-samples/\(sample)")
    #expect(try MediaRun(RenderRequest(operation: .probe), path).errors == [code])
  }

  /// ISO/IEC 14496-12 §8.3.2 and Exif 2.32, tag 0x0112: where the stored first row and column are
  /// shown.
  @Test(
    "A display matrix is the turn that Exif has a number for",
    arguments: [
      (1, 0, 0, 1, Orientation.up), (-1, 0, 0, 1, .upMirrored), (-1, 0, 0, -1, .down),
      (1, 0, 0, -1, .downMirrored), (0, 1, 1, 0, .leftMirrored), (0, 1, -1, 0, .right),
      (0, -1, -1, 0, .rightMirrored), (0, -1, 1, 0, .left), (3, 1, -1, 3, .up),
    ])
  func matrices(a: Int, b: Int, c: Int, d: Int, expected: Orientation) {
    #expect(Orientation(a: a, b: b, c: c, d: d) == expected)
  }
}
