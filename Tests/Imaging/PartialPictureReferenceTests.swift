import Files
import Imaging
import Media
import TestSupport
import Testing

/// The beginnings of files, held against what FFmpeg's own decoders make of the same beginning
/// (JPEG) or of the whole file.
@Suite(.timeLimit(.minutes(5))) struct PartialPictureReferenceTests {
  private static let size = PixelSize(width: 600, height: 400)

  /// What a part shows at least: rows in per cent, and decibels over them.
  struct Part: Sendable {
    let percent: Int
    let rows: ClosedRange<Int>
    let likeness: Double

    static let rows = [
      Part(percent: 10, rows: 0...15, likeness: 35), Part(percent: 50, rows: 30...60, likeness: 35),
      Part(percent: 90, rows: 60...95, likeness: 35),
    ]
    /// The first scans and passes are coarse; their missing detail is filled, so none is gray.
    static let scans = [
      Part(percent: 10, rows: 35...100, likeness: 21),
      Part(percent: 50, rows: 100...100, likeness: 27),
      Part(percent: 90, rows: 100...100, likeness: 35),
    ]
  }

  @Test("What came of a picture is as another decoder has it", arguments: PartialPictureTests.kinds)
  func parts(kind: PartialPictureTests.Kind) async throws {
    let sample = Project.path("media-samples/jpeg/large.jpg")
    let map = try await Command.tool("djpeg", ["-scale", "1/4", sample]).run().output
    let whole = try await Command.tool(kind.tool[0], Array(kind.tool.dropFirst()), input: map)
      .run().output
    let folder = try TemporaryDirectory()
    for part in kind.isCoarse ? Part.scans : Part.rows {
      let bytes = Array(whole.prefix(whole.count * part.percent / 100))
      let picture = try render(bytes)
      let rows = picture?.rows ?? 0
      #expect(part.rows.contains(rows * 100 / Self.size.height), "\(part.percent) %: \(rows) rows")
      guard let picture, rows > 0 else { continue }
      let path = try folder.write(kind.format == .jpeg ? bytes : whole, to: "\(part.percent)")
      let wanted = try await ReferenceDecoder.samples(of: path, as: "rgb24")
      let found = picture.planes[0].map { UInt8($0) }
      let likeness = try #require(decibels(found, Array(wanted.prefix(found.count))))
      #expect(likeness > part.likeness, "\(part.percent) %: \(likeness) dB")
    }
  }

  private func render(_ bytes: [UInt8]) throws -> DecodedPicture? {
    let input = try RenderedOutput(holding: bytes)
    let output = try RenderedOutput()
    let request = RenderRequest(
      operation: .render,
      renditions: [.init(box: Self.size, fit: .contain, stillBudget: nil, animatedBudget: nil)],
      outputFormat: .png, acceptsPartial: true)
    let reply = Thumbnailer.run(request, input: input.number, output: output.number)
    return try reply.renditions.first.map {
      try decodePicture([UInt8](try output.bytes()[$0.bytes]), as: .png)
    }
  }
}
