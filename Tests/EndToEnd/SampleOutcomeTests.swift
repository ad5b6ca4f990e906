import Files
import Foundation
import Media
import Sandbox
import TestSupport
import Testing

/// What the catalogue promises of each picture, asked of the decoder that is built and confined.
@Suite(.timeLimit(.minutes(10)), .serialized)
struct SampleOutcomeTests {
  private static let supervisor = try? ChildSupervisor(
    ChildConfiguration(directories: [Project.productsFolder]))

  /// The samples that the image child decodes or refuses.
  static let samples = Samples.all.filter { sample in
    [.jpeg, .png, .gif, .webp].contains(sample.format)
  }

  /// Samples whose corners have other colours, or none, for the reason their note tells.
  static let unmarked: Set = [
    "jpeg/grey.jpg", "png/palette-1.png", "png/icc-p3.png", "png/interlaced-3x2.png",
    "gif/disposals.gif", "gif/outside.gif", "webp/icc-p3.webp",
    "webp/animated-disposals.webp",
  ]

  static let marked = samples.filter { sample in
    sample.outcome == .picture && !sample.hasAlpha && !unmarked.contains(sample.name)
      && !sample.name.contains("grey") && sample.folder != "hostile"
  }

  private func render(_ sample: Sample) async throws -> RenderResult {
    let supervisor = try #require(Self.supervisor)
    let request = RenderRequest(
      operation: .render,
      renditions: [
        .init(
          box: PixelSize(width: 480, height: 480), fit: .contain, stillBudget: nil,
          animatedBudget: nil)
      ],
      outputFormat: .png)
    return try await supervisor.render(
      request, family: .image, input: try Descriptor.open(sample.path, flags: O_RDONLY),
      deadline: .after(.seconds(60)))
  }

  /// The codes of what went wrong; a child's end counts as well.
  private func errors(_ sample: Sample) async throws -> [Problem.Code] {
    do {
      return try await render(sample).reply.problems.filter { $0.severity == .error }.map(\.code)
    } catch let failure as ChildFailure {
      return [failure.problem.code]
    }
  }

  @Test("Each sample becomes a picture, or has the problem it is to have", arguments: samples)
  func outcome(sample: Sample) async throws {
    let expected: [Problem.Code] =
      if case .problem(let code) = sample.outcome { [code] } else { [] }
    #expect(try await errors(sample) == expected, "\(sample.note)")
  }

  @Test(
    "Size, orientation, frames and alpha are as drawn",
    arguments: samples.filter { $0.outcome == .picture })
  func facts(sample: Sample) async throws {
    let facts = try #require(try await render(sample).reply.facts)
    #expect(facts.format == sample.format)
    #expect(facts.displayedSize == sample.size)
    #expect(facts.orientation == sample.orientation)
    #expect(facts.frames == sample.frames)
    #expect(facts.hasAlpha == sample.hasAlpha)
  }

  @Test("The corners are red and green above blue and yellow", arguments: marked)
  func corners(sample: Sample) async throws {
    let result = try await render(sample)
    let rendition = try #require(result.reply.renditions.first)
    let folder = try TemporaryDirectory()
    let path = try folder.write(try result.output.bytes(rendition.bytes), to: "rendition.png")
    let picture = try await PixelMap.decode(path)
    let (right, bottom) = (picture.width - 3, picture.height - 3)
    let found = [picture[2, 2], picture[right, 2], picture[2, bottom], picture[right, bottom]]
    let drawn: [[UInt8]] = [[220, 30, 30], [30, 160, 60], [30, 60, 200], [240, 210, 40]]
    for (corner, colour) in zip(found, drawn) {
      let distance = zip(corner, colour).map { abs(Int($0) - Int($1)) }.max()
      // CMYK without a profile, and chroma at a quarter of the resolution, are this far off.
      #expect(try #require(distance) <= 48, "\(found)")
    }
  }
}
