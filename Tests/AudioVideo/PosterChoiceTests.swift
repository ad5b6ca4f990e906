import AudioVideo
import Media
import TestSupport
import Testing

/// Which frame stands for a film, and that its time is told right.
@Suite("The choice of posters", .timeLimit(.minutes(10)))
struct PosterChoiceTests {
  private static let request = RenderRequest(
    operation: .render,
    renditions: [
      .init(
        box: PixelSize(width: 320, height: 320), fit: .contain, stillBudget: nil,
        animatedBudget: nil)
    ], outputFormat: .png, attachment: .apple)

  /// A film of ten seconds, what is wrong with a part of it, and when its poster may be.
  struct Case: CustomStringConvertible, Sendable {
    let name: String
    let filter: String
    let options: String
    let times: ClosedRange<Double>
    var description: String { name }
  }

  private static let source = "testsrc2=s=320x240:r=10:d=10"
  private static let encoder = "-c:v libx264 -preset veryfast -g 10 -pix_fmt yuv420p -f mp4"

  static let cases = [
    Case(name: "nothing", filter: source, options: encoder, times: 0.9...1.1),
    Case(
      name: "black", filter: "\(source),drawbox=t=fill:c=black:enable='lt(t,4)'", options: encoder,
      times: 4...10),
    Case(
      name: "white", filter: "\(source),drawbox=t=fill:c=white:enable='lt(t,3)'", options: encoder,
      times: 3...10),
    Case(
      name: "fade-in", filter: "\(source),fade=in:st=0:d=4", options: encoder, times: 2...10),
    Case(
      name: "blurred", filter: "\(source),boxblur=30:4:enable='lt(t,4)'", options: encoder,
      times: 4...10),
    Case(
      name: "black at a tenth",
      filter: "\(source),drawbox=t=fill:c=black:enable='between(t,0.5,1.5)'", options: encoder,
      times: 1.6...10),
    Case(
      name: "black but for the middle",
      filter: "\(source),drawbox=t=fill:c=black:enable='lt(t,4)+gt(t,6)'", options: encoder,
      times: 4...6),
    Case(
      name: "one key frame", filter: "\(source),drawbox=t=fill:c=black:enable='lt(t,2)'",
      options: "-c:v libx264 -preset veryfast -g 1000 -sc_threshold 0 -pix_fmt yuv420p -f mp4",
      times: 2...10),
    Case(
      name: "MPEG-2", filter: "\(source),drawbox=t=fill:c=black:enable='lt(t,4)'",
      options: "-c:v mpeg2video -q:v 3 -f mpegts", times: 4...10),
    Case(
      name: "WebM", filter: "\(source),drawbox=t=fill:c=black:enable='lt(t,4)'",
      options: "-c:v libvpx -deadline realtime -cpu-used 8 -b:v 1M -g 10 -f webm", times: 4...10),
    Case(
      name: "AVI", filter: "\(source),fade=in:st=0:d=4", options: "-c:v mpeg4 -q:v 3 -g 10 -f avi",
      times: 2...10),
  ]

  @Test("The poster is a frame that tells something, and its time is where it is", arguments: cases)
  func choice(film: Case) async throws {
    let folder = try TemporaryDirectory()
    let path = try await MadeFilm.drawn(film.filter, film.options, name: "film.bin", in: folder)
    let run = try MediaRun(Self.request, path)
    #expect(run.errors == [])
    let seconds = try #require(run.reply.media?.posterSeconds)
    #expect(film.times.contains(seconds), "\(seconds)")
    let distance = try await distance(of: run, at: seconds, of: path, in: folder)
    // Frames a tenth of a second apart differ by more: the source moves.
    #expect(distance < 4, "\(distance) at \(seconds)")
  }

  @Test("A film cut at its start by an edit list counts its time from there")
  func edited() async throws {
    let folder = try TemporaryDirectory()
    let whole = try await MadeFilm.drawn(
      Self.source, "-c:v libx264 -g 50 -pix_fmt yuv420p", name: "whole.mp4", in: folder)
    let path = folder.path(of: "edited.mov")
    let cut = try await Command.tool(
      "ffmpeg", ["-v", "error", "-ss", "2.5", "-i", whole, "-c", "copy", "-y", path]
    ).run()
    try #require(cut.ending == .exited(0), "\(cut.errorText)")
    let run = try MediaRun(Self.request, path)
    let seconds = try #require(run.reply.media?.posterSeconds)
    #expect(abs(try #require(run.reply.media?.durationSeconds) - 7.5) <= 0.2)
    #expect(try await distance(of: run, at: seconds, of: path, in: folder) < 4, "\(seconds)")
  }

  /// Mean difference between the poster and the frame that ffmpeg shows at a time, in the file that is
  /// attached where there is one.
  private func distance(
    of run: MediaRun, at seconds: Double, of path: String, in folder: borrowing TemporaryDirectory
  ) async throws -> Double {
    let rendition = try #require(run.reply.renditions.first)
    let poster = try await PixelMap.decode(
      try folder.write(run.bytes(rendition.bytes), to: "poster.png"))
    var played = path
    if let part = run.reply.attachment {
      played = try folder.write(run.bytes(part.bytes), to: "played.\(part.format.rawValue)")
    }
    let frame = folder.path(of: "frame.png")
    // A little earlier: times are rounded, and the first frame not before the time is taken.
    let outcome = try await Command.tool(
      "ffmpeg",
      [
        "-v", "error", "-i", played, "-ss", "\(max(0, seconds - 0.02))", "-frames:v", "1", "-y",
        frame,
      ]
    ).run()
    try #require(outcome.ending == .exited(0), "\(outcome.errorText)")
    let expected = try await PixelMap.decode(frame)
    #expect(expected.width == poster.width && expected.height == poster.height)
    let differences = zip(poster.samples, expected.samples).map { abs(Int($0) - Int($1)) }
    return Double(differences.reduce(0, +)) / Double(max(1, differences.count))
  }

  @Test("A poster for which there was no time to look around is told to be such")
  func hurried() throws {
    let path = Project.path("media-samples/video/h264.mp4")
    var request = Self.request
    for (time, extent) in [
      (Duration.milliseconds(1), RenderReply.Extent.hurried), (.seconds(600), .whole),
    ] {
      request.time = time
      let reply = try MediaRun(request, path).reply
      #expect(reply.extent == extent)
      #expect(reply.renditions.count == 1 && reply.media?.posterSeconds != nil)
    }
  }
}
