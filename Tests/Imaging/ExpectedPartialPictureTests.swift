import Imaging
import Media
import TestSupport
import Testing

/// What cut files show, beside what other decoders make of them: pictures of at most 128 pixels in
/// media-samples/partial/, drawn by Scripts/samples/partial.py and looked at.
@Suite(.timeLimit(.minutes(15))) struct ExpectedPartialPictureTests {
  static let cut = Samples.folder("truncated").filter {
    [.jpeg, .png, .gif, .webp].contains($0.format) && $0.size != nil
  }

  /// 8-bit RGB.
  private struct Picture {
    let width: Int
    let rows: Int
    let samples: [UInt8]

    /// The means of whole squares of 8 × 8 pixels, for each colour.
    var squares: [[Double]] {
      (0..<rows / 8).flatMap { down in
        (0..<width / 8).map { across in
          (0..<3).map { colour in
            let places = (0..<64).map { pixel in
              ((down * 8 + pixel / 8) * width + across * 8 + pixel % 8) * 3 + colour
            }
            return places.reduce(0.0) { $0 + Double(samples[$1]) } / 64
          }
        }
      }
    }

    /// The share of the squares that are as in another picture, `off` levels more or less.
    func share(like other: Picture, off: Double) -> Double {
      let pairs = Array(zip(squares, other.squares))
      let alike = pairs.count { ours, theirs in
        zip(ours, theirs).allSatisfy { abs($0 - $1) <= off }
      }
      return Double(alike) / Double(max(1, pairs.count))
    }
  }

  private func render(_ bytes: [UInt8]) throws -> (Picture, RenderReply) {
    let input = try RenderedOutput(holding: bytes), output = try RenderedOutput()
    let request = RenderRequest(
      operation: .render,
      renditions: [
        .init(
          box: PixelSize(width: 128, height: 128), fit: .contain, stillBudget: nil,
          animatedBudget: nil)
      ], outputFormat: .png, acceptsPartial: true, reading: .everything)
    let reply = Thumbnailer.run(request, input: input.number, output: output.number)
    let rendition = try #require(reply.renditions.first, "\(reply.problems)")
    let picture = try decodePicture([UInt8](try output.bytes()[rendition.bytes]), as: .png)
    let width = try #require(picture.raster?.size.width)
    return (Picture(width: width, rows: picture.rows, samples: picture.bytes), reply)
  }

  @Test("A cut file shows what another decoder makes of it, and nothing gray", arguments: cut)
  func expected(sample: Sample) async throws {
    let (found, reply) = try render(try FileBytes.read(sample.path))
    #expect(reply.extent == .partial)
    #expect(reply.problems.map(\.code) == [.corrupt])
    let stem = sample.name.split(separator: "/")[1].split(separator: ".")[0]
    let path = Project.path("media-samples/partial/\(stem).png")
    let samples = try await ReferenceDecoder.samples(of: path, as: "rgb24")
    let wanted = Picture(
      width: found.width, rows: samples.count / 3 / found.width, samples: samples)
    #expect(samples.count == wanted.rows * found.width * 3)
    // Of the last row a decoder may know half.
    #expect(abs(found.rows - wanted.rows) <= 1)
    let count = min(found.samples.count, wanted.samples.count)
    let likeness = try #require(
      decibels(Array(found.samples.prefix(count)), Array(wanted.samples.prefix(count))))
    let alike = found.share(like: wanted, off: 8)
    let source = try #require(sample.note.split(separator: " ").last)
    let (whole, _) = try render(try FileBytes.read(Project.path("media-samples/\(source)")))
    let filled = found.share(like: whole, off: 48)
    #expect(likeness > 34, "\(likeness) dB")
    #expect(alike == 1)
    #expect(filled > 0.97)
    #expect(Double(found.rows) >= 0.4 * Double(whole.rows))
  }

  @Test("There is an expectation for each") func catalogue() throws {
    let names = Self.cut.map { $0.name.split(separator: "/")[1].split(separator: ".")[0] }
    let files = try Project.files(under: "media-samples/partial")
    #expect(Set(files) == Set(names.map { "\($0).png" }))
  }
}
