import AudioVideo
import Media
import TestSupport
import Testing

@Suite("Posters of films", .timeLimit(.minutes(15)))
struct PosterTests {
  private static let request = RenderRequest(
    operation: .render,
    renditions: [
      .init(
        box: PixelSize(width: 480, height: 480), fit: .contain, stillBudget: nil,
        animatedBudget: nil)
    ], outputFormat: .png)

  private func poster(_ path: String) async throws -> PixelMap {
    let run = try MediaRun(Self.request, path)
    #expect(run.errors == [])
    let rendition = try #require(run.reply.renditions.first)
    let folder = try TemporaryDirectory()
    return try await PixelMap.decode(
      try folder.write(run.bytes(rendition.bytes), to: "poster.png"))
  }

  /// The samples show red and green corners above blue and yellow ones, after half a second of black.
  @Test("The poster is upright and no black frame", arguments: Samples.folder("video"))
  func corners(sample: Sample) async throws {
    let picture = try await poster(sample.path)
    #expect(PixelSize(width: picture.width, height: picture.height) == sample.size)
    let (right, bottom) = (picture.width - 4, picture.height - 4)
    let found = [picture[3, 3], picture[right, 3], picture[3, bottom], picture[right, bottom]]
    let drawn: [[UInt8]] = [[220, 30, 30], [30, 160, 60], [30, 60, 200], [240, 210, 40]]
    for (corner, colour) in zip(found, drawn) {
      let distance = zip(corner, colour).map { abs(Int($0) - Int($1)) }.max()
      #expect(try #require(distance) <= 40, "\(found)")
    }
  }

  /// Encodes a film that ffmpeg's filters draw.
  private func film(
    _ filter: String, _ options: [String], name: String, in folder: borrowing TemporaryDirectory
  ) async throws -> String {
    let path = folder.path(of: name)
    let outcome = try await Command.tool(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", filter] + options + ["-y", path]
    ).run()
    try #require(outcome.ending == .exited(0), "\(outcome.errorText)")
    return path
  }

  @Test("Key frames that are black lose against later ones")
  func black() async throws {
    let folder = try TemporaryDirectory()
    let path = try await film(
      "testsrc=s=320x240:r=10:d=10,drawbox=t=fill:c=black:enable='lt(t,4)'",
      ["-c:v", "libx264", "-g", "10"], name: "late.mp4", in: folder)
    let picture = try await poster(path)
    #expect(picture.brightness > 40)
  }

  @Test("A film with one black key frame gives a later frame")
  func onlyKeyFrame() async throws {
    let folder = try TemporaryDirectory()
    let path = try await film(
      "testsrc=s=320x240:r=10:d=3,drawbox=t=fill:c=black:enable='lt(t,1)'",
      ["-c:v", "libx264", "-g", "1000", "-sc_threshold", "0"], name: "one.mp4", in: folder)
    #expect(try await poster(path).brightness > 40)
  }

  @Test("A blurred place loses against a sharp one")
  func blurred() async throws {
    let folder = try TemporaryDirectory()
    let path = try await film(
      "testsrc2=s=320x240:r=10:d=10,boxblur=30:4:enable='lt(t,2)'",
      ["-c:v", "libx264", "-g", "10"], name: "blurred.mp4", in: folder)
    let picture = try await poster(path)
    #expect(picture.sharpness > 4)
  }

  @Test("A film all black still gives a picture")
  func allBlack() async throws {
    let folder = try TemporaryDirectory()
    let path = try await film(
      "color=black:s=320x240:r=10:d=2", ["-c:v", "libx264"], name: "black.mp4", in: folder)
    #expect(try await poster(path).brightness < 10)
  }

  @Test("Pixels that are not square are shown as wide as they are meant")
  func anamorphic() async throws {
    let folder = try TemporaryDirectory()
    let path = try await film(
      "testsrc=s=180x144:r=10:d=1,setdar=16/9", ["-c:v", "mpeg2video", "-f", "mpegts"],
      name: "wide.ts", in: folder)
    let picture = try await poster(path)
    #expect([picture.width, picture.height] == [256, 144])
  }

  /// 100 % of PQ is 10,000 nits, BT.2100's 58 % the reference white of 203 nits (BT.2408).
  @Test("High dynamic range is tone-mapped: reference white becomes light, not grey")
  func highDynamicRange() async throws {
    let folder = try TemporaryDirectory()
    let options = [
      "-pix_fmt", "yuv420p10le", "-color_primaries", "bt2020", "-color_trc", "smpte2084",
      "-colorspace", "bt2020nc", "-c:v", "libx265", "-x265-params", "log-level=error",
    ]
    let path = try await film(
      "color=0x949494:s=128x128:r=10:d=1", options, name: "pq.mp4", in: folder)
    let run = try MediaRun(Self.request, path)
    #expect(run.reply.media?.colorSpace == "BT.2100 PQ")
    #expect(run.reply.media?.bitDepth == 10)
    let picture = try await poster(path)
    #expect(picture.brightness > 190)
  }

  /// 75 % of HLG is the reference white (BT.2408).
  @Test("HLG is tone-mapped too")
  func hybridLogGamma() async throws {
    let folder = try TemporaryDirectory()
    let options = [
      "-pix_fmt", "yuv420p10le", "-color_primaries", "bt2020", "-color_trc", "arib-std-b67",
      "-colorspace", "bt2020nc", "-c:v", "libx265", "-x265-params", "log-level=error",
    ]
    let path = try await film(
      "color=0xBFBFBF:s=128x64:r=10:d=1", options, name: "hlg.mov", in: folder)
    let run = try MediaRun(Self.request, path)
    #expect(run.reply.media?.colorSpace == "BT.2100 HLG")
    #expect(run.reply.media?.bitDepth == 10)
    let picture = try await poster(path)
    #expect([picture.width, picture.height] == [128, 64])
    #expect(picture.brightness > 190)
  }

  @Test("Scores tell black, white and flat pictures from pictures")
  func scores() {
    let size = PixelSize(width: 64, height: 64)
    let flat = [0, 128, 255].map { FrameScore(luma: .init(repeating: $0, count: 4096), size: size) }
    #expect(flat.allSatisfy { !$0.isTelling && $0.value < 0.1 })
    let checks = FrameScore(
      luma: (0..<4096).map { ($0 / 4 + $0 / 256) % 2 == 0 ? 60 : 200 }, size: size)
    #expect(checks.isTelling && checks.value > 0.5)
    // By hand: half 60, half 200 have a mean of 130 and a deviation of 70.
    #expect(abs(checks.brightness - 130) < 0.001 && abs(checks.contrast - 70) < 0.001)
  }
}

extension PixelMap {
  /// Mean of all colour samples, 0…255.
  var brightness: Double {
    Double(samples.reduce(0) { $0 + Int($1) }) / Double(max(1, samples.count))
  }

  /// Mean difference between neighbours in a row.
  var sharpness: Double {
    let pairs = zip(samples, samples.dropFirst(components))
    return Double(pairs.reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(samples.count)
  }
}
