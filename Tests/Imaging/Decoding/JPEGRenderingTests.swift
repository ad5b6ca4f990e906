import Files
import Foundation
import Imaging
import Media
import TestSupport
import Testing

/// JPEG to PNG at its own size, beside libjpeg-turbo's own program.
@Suite("JPEG as PNG", .timeLimit(.minutes(15)))
struct JPEGRenderingTests {
  private func rendered(_ bytes: [UInt8]) async throws -> PixelMap {
    let folder = try TemporaryDirectory()
    let input = try Descriptor.open(try folder.write(bytes, to: "in.jpg"), flags: O_RDONLY)
    let output = try RenderedOutput()
    let request = RenderRequest(
      operation: .render,
      renditions: [
        .init(
          box: PixelSize(width: 1000, height: 1000), fit: .contain, stillBudget: nil,
          animatedBudget: nil)
      ], outputFormat: .png)
    let reply = Thumbnailer.run(request, input: input.number, output: output.number)
    let rendition = try #require(reply.renditions.first, "\(reply.problems)")
    return try await PixelMap.decode(
      try folder.write([UInt8](try output.bytes()[rendition.bytes]), to: "out.png"))
  }

  private func reference(_ bytes: [UInt8]) async throws -> PixelMap {
    let folder = try TemporaryDirectory()
    return try await PixelMap.decode(try folder.write(bytes, to: "in.jpg"))
  }

  @Test(
    "Every sampling comes out as djpeg shows it",
    arguments: [
      "1x1", "2x1", "2x2", "1x2", "4x1", "1x3,1x1,1x1", "3x1,1x1,1x1", "4x2,1x1,1x1",
      "1x4,1x1,1x1", "3x1,3x1,1x1",
    ])
  func samplings(_ sampling: String) async throws {
    let bytes = try await JPEGDecoderTests.encode(["-sample", sampling])
    let (ours, theirs) = (try await rendered(bytes), try await reference(bytes))
    // djpeg repeats a chroma sample that covers more than two pixels; ours slopes to the next.
    let isCoarse = sampling.contains("4") || sampling.contains("3")
    #expect(try #require(ours.psnr(to: theirs)) >= (isCoarse ? 34 : 40))
  }

  @Test("Scans that were never written are smoothed over, as djpeg does")
  func missingScans() async throws {
    let folder = try TemporaryDirectory()
    let script = try folder.write("0,1,2: 0-0, 0, 1;\n0: 1-5, 0, 2;\n", to: "scans")
    let bytes = try await JPEGDecoderTests.encode(["-sample", "1x1", "-scans", script])
    let (ours, theirs) = (try await rendered(bytes), try await reference(bytes))
    #expect(try #require(ours.psnr(to: theirs)) >= 45)
  }
}
