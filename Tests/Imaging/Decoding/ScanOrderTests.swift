import Files
import Foundation
import Imaging
import Media
import TestSupport
import Testing

/// What early stops promise, for encoders that send their scans in another order than most.
@Suite("Early stop by scan order", .timeLimit(.minutes(15)))
struct ScanOrderTests {
  /// Scripts as cjpeg reads them: components, coefficients, and the bit that was sent and that is.
  static let orders: [(name: String, script: String)] = [
    ("libjpeg's own", ""),
    (
      "luma first",
      """
      0:0-0,0,1;0:1-63,0,2;0:1-63,2,1;0:1-63,1,0;0:0-0,1,0;1:0-0,0,1;2:0-0,0,1;
      1:1-63,0,1;2:1-63,0,1;1:1-63,1,0;2:1-63,1,0;1:0-0,1,0;2:0-0,1,0;
      """
    ),
    (
      "chroma first",
      """
      1:0-0,0,1;2:0-0,0,1;1:1-63,0,1;2:1-63,0,1;1:1-63,1,0;2:1-63,1,0;1:0-0,1,0;2:0-0,1,0;
      0:0-0,0,1;0:1-63,0,2;0:1-63,2,1;0:1-63,1,0;0:0-0,1,0;
      """
    ),
    (
      "by frequency alone",
      "0,1,2:0-0,0,0;0:1-5,0,0;1:1-5,0,0;2:1-5,0,0;0:6-63,0,0;1:6-63,0,0;2:6-63,0,0;"
    ),
    (
      "by bits alone",
      """
      0,1,2:0-0,0,3;0:1-63,0,3;1:1-63,0,3;2:1-63,0,3;
      0:1-63,3,2;1:1-63,3,2;2:1-63,3,2;0,1,2:0-0,3,2;
      0:1-63,2,1;1:1-63,2,1;2:1-63,2,1;0,1,2:0-0,2,1;
      0:1-63,1,0;1:1-63,1,0;2:1-63,1,0;0,1,2:0-0,1,0;
      """
    ),
  ]

  /// Drawn pictures of 480 × 320 pixels.
  enum Drawing: String, CaseIterable, Sendable {
    case photograph
    /// Each sample by chance.
    case noise
    /// Blue by chance on gray: what lacks is of one sign in all components.
    case blueNoise
    /// Fields of full colours, off the blocks' borders.
    case fields
    /// One colour for each quarter: all blocks of it lack the same.
    case plain

    static let size = PixelSize(width: 480, height: 320)

    func pixelMap() async throws -> [UInt8] {
      if self == .photograph {
        let sample = Project.path("media-samples/jpeg/large.jpg")
        return try await Command.tool("djpeg", ["-scale", "1/8", sample]).run().output
      }
      var random = RepeatableGenerator(seed: 7)
      var samples: [UInt8] = []
      for y in 0..<Self.size.height {
        for x in 0..<Self.size.width { samples += pixel(x, y, &random) }
      }
      return Array("P6 \(Self.size.width) \(Self.size.height) 255\n".utf8) + samples
    }

    private func pixel(_ x: Int, _ y: Int, _ random: inout RepeatableGenerator) -> [UInt8] {
      switch self {
      case .photograph: return []
      case .noise: return (0..<3).map { _ in UInt8(random.next() >> 56) }
      case .blueNoise: return [128, 128, UInt8(random.next() >> 56)]
      case .fields:
        let number = (x / 10 * 7 + y / 10 * 5) % 7 + 1
        return [1, 2, 4].map { number & $0 == 0 ? 0 : 255 }
      case .plain:
        switch (x < Self.size.width / 2, y < Self.size.height / 2) {
        case (true, true): return [213, 30, 41]
        case (false, true): return [33, 97, 222]
        case (true, false): return [247, 199, 21]
        case (false, false): return [60, 140, 71]
        }
      }
    }
  }

  private static let qualities =
    TestScale.isNightly ? [30, 50, 60, 68, 75, 80, 85, 90, 95, 98] : [60, 75, 95]

  private static func files(
    _ drawing: Drawing, script: String = "", sampling: String, qualities: [Int] = qualities
  ) async throws -> [(quality: Int, bytes: [UInt8])] {
    let folder = try TemporaryDirectory()
    let scans = try folder.write(Array(script.utf8), to: "scans")
    let map = try await drawing.pixelMap()
    var files: [(Int, [UInt8])] = []
    for quality in qualities {
      let order = script.isEmpty ? ["-progressive"] : ["-scans", scans]
      let outcome = try await Command.tool(
        "cjpeg", ["-quality", "\(quality)", "-sample", sampling] + order, input: map
      ).run()
      try #require(outcome.ending == .exited(0), "\(outcome.errorText)")
      files.append((quality, outcome.output))
    }
    return files
  }

  /// The pixels before encoding, in the largest box that is decoded at `eighths` / 8.
  private static func render(
    _ file: [UInt8], eighths: Int, _ reading: RenderRequest.Reading
  ) throws -> [UInt8] {
    let input = try RenderedOutput(holding: file), output = try RenderedOutput()
    let side = eighths == 8 ? 480 : 480 * eighths / 8 * 100 / 145
    let request = RenderRequest(
      operation: .render,
      renditions: [
        .init(
          box: PixelSize(width: side, height: side), fit: .contain, stillBudget: nil,
          animatedBudget: nil)
      ],
      outputFormat: .png, reading: reading)
    let reply = Thumbnailer.run(request, input: input.number, output: output.number)
    let rendition = try #require(reply.renditions.first, "\(reply.problems)")
    return try decodePicture([UInt8](try output.bytes()[rendition.bytes]), as: .png).bytes
  }

  @Test(
    "Whatever the order of the scans, what is left out is not to be seen in red, green and blue",
    arguments: Drawing.allCases, ["2x2", "1x1"])
  func invisible(drawing: Drawing, sampling: String) async throws {
    var stops = 0
    for (name, script) in Self.orders {
      for (quality, file) in try await Self.files(drawing, script: script, sampling: sampling) {
        for eighths in [1, 2, 4, 8] {
          let early = try Self.render(file, eighths: eighths, .enough)
          let whole = try Self.render(file, eighths: eighths, .everything)
          let likeness = try #require(decibels(early, whole))
          #expect(likeness >= 45, "\(name), quality \(quality), \(eighths)/8: \(likeness) dB")
          if early != whole { stops += 1 }
        }
      }
    }
    // Plain fields lose little else than nothing.
    #expect(stops > (drawing == .plain ? 0 : 8))
  }
}

extension ScanOrderTests {
  /// Without its last bit a coefficient is as with a step twice as large, cut off rather than rounded.
  /// Where small coefficients are commoner than large ones, that makes at most 1.85 times the square of
  /// the error: 2.7 dB, and rounding.
  @Test(
    "In a hurry a picture is nearly as good as one with steps twice as large, read to its end",
    arguments: [Drawing.photograph, .noise, .blueNoise], ["2x2", "1x1"])
  func hurried(drawing: Drawing, sampling: String) async throws {
    // Quality 50 has the standard's tables, 75 half of each step, and so on (libjpeg, jcparam.c).
    let qualities = [50, 75, 60, 80, 80, 90, 90, 95]
    let files = try await Self.files(drawing, sampling: sampling, qualities: qualities)
    let original = try await Self.files(drawing, sampling: "1x1", qualities: [100])[0].bytes
    var stops = 0
    for pair in stride(from: 0, to: files.count, by: 2) {
      for eighths in [2, 4, 8] {
        let wanted = try Self.render(original, eighths: eighths, .everything)
        let (double, file) = (files[pair].bytes, files[pair + 1])
        let hurried = try Self.render(file.bytes, eighths: eighths, .leastEnough)
        let whole = try Self.render(file.bytes, eighths: eighths, .everything)
        let floor = try #require(
          decibels(try Self.render(double, eighths: eighths, .everything), wanted))
        let found = try #require(decibels(hurried, wanted))
        #expect(found > floor - 3, "quality \(file.quality), \(eighths)/8: \(found), \(floor) dB")
        if hurried != whole { stops += 1 }
      }
    }
    #expect(stops > 6)
  }
}

/// The same numbers for each run.
private struct RepeatableGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    // Knuth's constants (MMIX).
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state
  }
}
