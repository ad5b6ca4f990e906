import Files
import Foundation
import Imaging
import Media
import TestSupport
import Testing

/// What truncated files come to: nothing unless a partial picture is asked for; then the rows that
/// came, or the whole picture from coarser data. By day every ninth length, by night each.
@Suite(.timeLimit(.minutes(15))) struct PartialPictureTests {
  struct Kind: CustomTestStringConvertible, Sendable {
    let name: String
    let format: MediaFormat
    /// Tool and arguments that turn a pixel map on standard input into the file on standard output.
    let tool: [String]
    /// Whether early data cover the whole picture.
    var isCoarse = false

    var testDescription: String { name }
  }

  static let kinds = [
    Kind(name: "baseline JPEG", format: .jpeg, tool: ["cjpeg", "-quality", "90"]),
    Kind(
      name: "progressive JPEG", format: .jpeg, tool: ["cjpeg", "-progressive"], isCoarse: true),
    Kind(name: "PNG", format: .png, tool: ["convert-im6.q16", "ppm:-", "png24:-"]),
    Kind(
      name: "interlaced PNG", format: .png,
      tool: ["convert-im6.q16", "ppm:-", "-interlace", "PNG", "png24:-"], isCoarse: true),
    Kind(
      name: "GIF", format: .gif, tool: ["convert-im6.q16", "ppm:-", "+dither", "gif:-"]),
    Kind(
      name: "interlaced GIF", format: .gif,
      tool: ["convert-im6.q16", "ppm:-", "+dither", "-interlace", "GIF", "gif:-"], isCoarse: true),
    Kind(
      name: "lossy WebP", format: .webp,
      tool: ["cwebp", "-quiet", "-q", "90", "-o", "-", "--", "-"]),
    Kind(
      name: "lossless WebP", format: .webp,
      tool: ["cwebp", "-quiet", "-lossless", "-o", "-", "--", "-"]),
  ]

  private static let size = PixelSize(width: 72, height: 60)

  private func file(_ kind: Kind) async throws -> [UInt8] {
    let map = JPEGDecoderTests.pixelMap(Self.size.width, Self.size.height)
    let outcome = try await Command.tool(kind.tool[0], Array(kind.tool.dropFirst()), input: map)
      .run()
    try #require(outcome.ending == .exited(0), "\(outcome.errorText)")
    return outcome.output
  }

  private func render(
    _ bytes: [UInt8], partial: Bool
  ) throws -> (picture: DecodedPicture?, problems: [Problem]) {
    let input = try RenderedOutput(holding: bytes), output = try RenderedOutput()
    let request = RenderRequest(
      operation: .render,
      renditions: [
        .init(box: Self.size, fit: .contain, stillBudget: nil, animatedBudget: nil)
      ], outputFormat: .png, acceptsPartial: partial)
    let reply = Thumbnailer.run(request, input: input.number, output: output.number)
    let picture = try reply.renditions.first.map {
      try decodePicture([UInt8](try output.bytes()[$0.bytes]), as: .png)
    }
    return (picture, reply.problems)
  }

  @Test("A partial picture is right as far as it goes", arguments: kinds)
  func truncations(kind: Kind) async throws {
    let whole = try await file(kind)
    let expected = try #require(try render(whole, partial: false).picture).planes[0]
    var rows = 0
    for length in stride(from: 1, to: whole.count, by: TestScale.count(9, nightly: 1)) {
      let (picture, problems) = try render(Array(whole.prefix(length)), partial: true)
      #expect(problems.allSatisfy { [.corrupt, .notMedia].contains($0.code) }, "\(length)")
      guard let picture else {
        #expect(rows == 0, "\(length): a shorter file gave a picture")
        continue
      }
      #expect(picture.raster?.size.width == Self.size.width)
      #expect(picture.rows >= rows, "\(length): \(picture.rows) rows after \(rows)")
      rows = picture.rows
      let found = picture.planes[0].map { UInt8($0) }
      let wanted = expected.prefix(found.count).map { UInt8($0) }
      let likeness = try #require(decibels(found, wanted), "\(length)")
      #expect(likeness > (kind.isCoarse ? 15 : 30), "\(length)")
      #expect(problems.contains { $0.severity == .warning } || found.count == expected.count)
    }
    #expect(rows >= Self.size.height / 2)
  }

  @Test("A truncated file is no picture unless a partial one is asked for", arguments: kinds)
  func refused(kind: Kind) async throws {
    let whole = try await file(kind)
    let cut = Array(whole.prefix(whole.count * 3 / 4))
    let (picture, problems) = try render(cut, partial: false)
    #expect(picture == nil)
    #expect(problems.map(\.code) == [.corrupt])
    #expect(try render(cut, partial: true).picture != nil)
  }
}
