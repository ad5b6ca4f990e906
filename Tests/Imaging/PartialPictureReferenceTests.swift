import Files
import Imaging
import Media
import TestSupport
import Testing

/// The beginnings of files, held against what FFmpeg's own decoders make of the same beginning
/// (JPEG) or of the whole file.
@Suite(.timeLimit(.minutes(15))) struct PartialPictureReferenceTests {
  private static let size = PixelSize(width: 600, height: 400)

  /// What a part shows at least: rows in per cent, decibels over them, and in the worst band of 16
  /// rows: nothing gray hides among many that are right.
  struct Part: Sendable {
    let percent: Int
    let rows: ClosedRange<Int>
    let likeness: Double
    let worst: Double

    static let rows = [
      Part(percent: 10, rows: 0...15, likeness: 35, worst: 27),
      Part(percent: 50, rows: 30...60, likeness: 35, worst: 27),
      Part(percent: 70, rows: 45...75, likeness: 35, worst: 27),
      Part(percent: 90, rows: 60...95, likeness: 35, worst: 27),
    ]
    /// The first scans and passes are coarse; their missing detail is filled, so none is gray.
    static let scans = [
      Part(percent: 10, rows: 35...100, likeness: 21, worst: 14),
      Part(percent: 50, rows: 100...100, likeness: 27, worst: 18),
      Part(percent: 70, rows: 100...100, likeness: 28, worst: 18),
      Part(percent: 90, rows: 100...100, likeness: 35, worst: 20),
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
      let worst = Self.worstBand(found, Array(wanted.prefix(found.count)))
      #expect(worst > part.worst, "\(part.percent) %: \(worst) dB in a band")
    }
  }

  private static func worstBand(_ found: [UInt8], _ wanted: [UInt8]) -> Double {
    let band = 16 * 3 * size.width
    return stride(from: 0, to: found.count, by: band).compactMap { start in
      let end = min(start + band, found.count)
      return decibels(Array(found[start..<end]), Array(wanted[start..<end]))
    }.min() ?? 0
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
