import Files
import Foundation
import Media
import Sandbox
import TestSupport
import Testing

/// The built image decoder under its whole sandbox, on the samples.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct ImageChildTests {
  private static let supervisor = try? ChildSupervisor(
    ChildConfiguration(directories: [Project.productsFolder]))

  private func render(
    _ sample: String, box: PixelSize = PixelSize(width: 200, height: 200),
    format: RenderRequest.OutputFormat = .auto
  ) async throws -> RenderResult {
    let supervisor = try #require(Self.supervisor)
    let input = try Descriptor.open(
      Project.path("media-samples/\(sample)"), flags: O_RDONLY)
    let request = RenderRequest(
      operation: .render,
      renditions: [
        RenderRequest.Rendition(
          box: box, fit: .contain, stillBudget: 500_000, animatedBudget: nil)
      ],
      outputFormat: format)
    return try await supervisor.render(
      request, family: .image, input: input, deadline: .after(.seconds(60)))
  }

  private func decoded(_ result: RenderResult) async throws -> PixelMap {
    let rendition = try #require(result.reply.renditions.first)
    let folder = try TemporaryDirectory()
    let path = "\(folder.path)/rendition.\(rendition.format.fileExtensions[0])"
    try Data(try result.output.bytes(rendition.bytes)).write(to: URL(fileURLWithPath: path))
    return try await PixelMap.decode(path)
  }

  @Test(
    "A confined child makes the rendition that is asked for",
    arguments: [
      ("jpeg/baseline.jpg", RenderRequest.OutputFormat.auto, MediaFormat.jpeg),
      ("jpeg/progressive.jpg", .auto, .jpeg), ("jpeg/cmyk-adobe.jpg", .auto, .jpeg),
      ("jpeg/display-p3.jpg", .auto, .jpeg), ("jpeg/broken-profile.jpg", .auto, .jpeg),
      ("jpeg/baseline.jpg", .png, .png), ("jpeg/baseline.jpg", .gif, .gif),
      ("png/rgb-16.png", .auto, .jpeg), ("png/icc-p3.png", .auto, .jpeg),
      ("png/gamma-linear.png", .auto, .jpeg), ("png/rgba-8.png", .auto, .png),
      ("png/interlaced-rgba-16.png", .gif, .gif), ("png/opaque-rgba.png", .auto, .jpeg),
    ])
  func renders(
    sample: String, asked: RenderRequest.OutputFormat, expected: MediaFormat
  ) async throws {
    let result = try await render(sample, format: asked)
    let errors = result.reply.problems.filter { $0.severity == .error }
    #expect(errors == [])
    let rendition = try #require(result.reply.renditions.first)
    #expect(rendition.format == expected)
    let pixels = try await decoded(result)
    #expect(pixels.width == rendition.size.width)
    #expect(pixels.height == rendition.size.height)
  }

  @Test("All eight orientations come out the same way up", arguments: 2...8)
  func orientations(orientation: Int) async throws {
    let upright = try await decoded(render("jpeg/orientation-1.jpg"))
    let turned = try await decoded(render("jpeg/orientation-\(orientation).jpg"))
    #expect((turned.width, turned.height) == (upright.width, upright.height))
    #expect(try #require(turned.psnr(to: upright)) > 25)
  }

  @Test("A large baseline JPEG takes no more than 16 MB")
  func memory() async throws {
    // The system maps more of the libraries around each page that is touched when it has more of them
    // at hand: what the picture takes is in each of the peaks, so the least of them tells it.
    var peaks: [Int] = []
    for _ in 0..<3 {
      let result = try await render(
        "jpeg/large.jpg", box: PixelSize(width: 1320, height: 960))
      peaks.append(try #require(result.usage.peakBytes))
    }
    #expect(try #require(peaks.min()) <= 16_000_000, "\(peaks)")
  }
}
