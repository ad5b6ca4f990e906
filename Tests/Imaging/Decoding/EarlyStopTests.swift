import Foundation
import Imaging
import Media
import TestSupport
import Testing

/// Progressive pictures whose last scans are not read, beside the same pictures read to their end.
@Suite("Early stop of progressive JPEG", .timeLimit(.minutes(15)))
struct EarlyStopTests {
  /// A photograph-like picture, 1600 × 1200, coded by libjpeg-turbo's own tool.
  private static func file(_ quality: Int, _ options: [String] = []) async throws -> [UInt8] {
    let sample = Project.path("media-samples/jpeg/large.jpg")
    let map = try await Command.tool("djpeg", [sample]).run().output
    let outcome = try await Command.tool(
      "cjpeg", ["-quality", "\(quality)", "-progressive"] + options, input: map
    ).run()
    try #require(outcome.ending == .exited(0), "\(outcome.errorText)")
    return outcome.output
  }

  /// Where what a scale needs has come, by the markers alone; nil where all of the file is needed.
  private static func end(of file: [UInt8], eighths: Int, inHurry: Bool = false) -> Int? {
    var reader = JPEGScanReader()
    var index = 0
    while reader.readScan(file.span, from: &index) {
      let precision = reader.precision(eighths: eighths)
      if precision?.suffices(inHurry: inHurry) ?? false, !reader.isDone { return index }
    }
    return nil
  }

  /// A size for which the decoder scales to `eighths` / 8.
  private static func needed(_ eighths: Int, of picture: DecodedPicture) throws -> PixelSize {
    let size = try #require(picture.header).facts.storedSize
    return PixelSize(width: size.width * eighths * 10 / 8 / 15, height: 1)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let quality: Int
    let eighths: Int
    var options: [String] = []
    /// Whether less than the file is enough.
    let stops: Bool

    var testDescription: String { "quality \(quality) at \(eighths)/8 \(options)" }
  }

  static let cases = [
    // The luma needs its means alone; chroma comes at 2/8.
    Case(quality: 50, eighths: 1, stops: true), Case(quality: 90, eighths: 1, stops: true),
    Case(quality: 90, eighths: 1, options: ["-sample", "1x1"], stops: true),
    Case(quality: 50, eighths: 2, stops: false), Case(quality: 75, eighths: 2, stops: true),
    Case(quality: 95, eighths: 2, options: ["-restart", "1"], stops: true),
    Case(quality: 85, eighths: 4, stops: false), Case(quality: 90, eighths: 4, stops: true),
    Case(quality: 90, eighths: 4, options: ["-sample", "4x1"], stops: true),
    Case(quality: 98, eighths: 8, stops: false),
    Case(quality: 95, eighths: 2, options: ["-grayscale"], stops: true),
  ]

  /// The pixels before encoding, in the largest box that is decoded at `eighths` / 8.
  private static func render(
    _ file: [UInt8], eighths: Int, _ reading: RenderRequest.Reading
  ) throws -> DecodedPicture {
    let input = try RenderedOutput(holding: file), output = try RenderedOutput()
    let side = eighths == 8 ? 4000 : (2400 * eighths + 7) / 8 * 100 / 145
    let box = PixelSize(width: side, height: side)
    let request = RenderRequest(
      operation: .render,
      renditions: [.init(box: box, fit: .contain, stillBudget: nil, animatedBudget: nil)],
      outputFormat: .png, reading: reading)
    let reply = Thumbnailer.run(request, input: input.number, output: output.number)
    #expect(reply.extent == .whole && reply.problems.isEmpty)
    let rendition = try #require(reply.renditions.first, "\(reply.problems)")
    return try decodePicture([UInt8](try output.bytes()[rendition.bytes]), as: .png)
  }

  @Test("What is left out is not to be seen", arguments: cases)
  func quality(_ this: Case) async throws {
    let file = try await Self.file(this.quality, this.options)
    let early = try Self.render(file, eighths: this.eighths, .enough)
    let full = try Self.render(file, eighths: this.eighths, .everything)
    #expect(try #require(decibels(early.bytes, full.bytes)) >= 45)
    #expect((Self.end(of: file, eighths: this.eighths) != nil) == this.stops)
    if !this.stops { #expect(early.planes == full.planes) }
  }

  @Test(
    "The markers tell where a file may be cut: there it gives the same picture, before it less",
    arguments: cases.filter(\.stops))
  func cut(_ this: Case) async throws {
    let file = try await Self.file(this.quality, this.options)
    let end = try #require(Self.end(of: file, eighths: this.eighths))
    let whole = try decodePicture(file, as: .jpeg, needed: PixelSize(width: 1, height: 1))
    let needed = try Self.needed(this.eighths, of: whole)
    let expected = try decodePicture(file, as: .jpeg, needed: needed)
    let found = try decodePicture(Array(file.prefix(end)), as: .jpeg, needed: needed)
    #expect(found.failure == nil)
    #expect(found.planes == expected.planes)
    let less = try decodePicture(Array(file.prefix(end - 100)), as: .jpeg, needed: needed)
    #expect(less.failure != nil)
    #expect(try decodePicture(Array(file.prefix(end)), as: .jpeg, use: .all).failure != nil)
  }

  @Test("Without time one bit of each coefficient may lack, and that is told")
  func hurry() async throws {
    let file = try await Self.file(80)
    let end = try #require(Self.end(of: file, eighths: 4, inHurry: true))
    #expect(Self.end(of: file, eighths: 4) == nil)
    let needed = PixelSize(width: 480, height: 1)
    let calm = try decodePicture(file, as: .jpeg, needed: needed)
    let hurried = try decodePicture(file, as: .jpeg, needed: needed, use: .enough(time: .zero))
    #expect(!calm.wasHurried && hurried.wasHurried)
    #expect(hurried.failure == nil)
    #expect(try #require(decibels(hurried.bytes, calm.bytes)) > 30)
    let beginning = Array(file.prefix(end + 1000))
    #expect(
      try decodePicture(beginning, as: .jpeg, needed: needed, use: .enough(time: .zero)).planes
        == hurried.planes)
  }
}

extension DecodedPicture {
  fileprivate var width: Int { header?.facts.storedSize.width ?? 0 }
}
