import Foundation
import Imaging
import Media
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct ThumbnailerTests {
  private func request(
    _ boxes: [(Int, Int)], fit: RenditionProfile.Fit = .contain, budget: Int? = nil,
    format: RenderRequest.OutputFormat = .auto, flatten: RGBColour? = nil,
    acceptsPartial: Bool = false
  ) -> RenderRequest {
    RenderRequest(
      operation: .render,
      renditions: boxes.map {
        RenderRequest.Rendition(
          box: PixelSize(width: $0.0, height: $0.1), fit: fit, stillBudget: budget,
          animatedBudget: nil)
      },
      outputFormat: format, flatten: flatten, acceptsPartial: acceptsPartial)
  }

  private func yCbCr(_ width: Int, _ height: Int) -> [PixelPlane<UInt8>] {
    let half = ((width + 1) / 2, (height + 1) / 2)
    return [
      .noise(width, height), .made(half.0, half.1) { x, _, _ in UInt8(100 + x % 50) },
      .made(half.0, half.1) { _, y, _ in UInt8(140 + y % 50) },
    ]
  }

  @Test("One decode feeds all renditions, which lie one after the other in the output")
  func fanOut() throws {
    var decoder = SyntheticDecoder(.yCbCr, planes: yCbCr(400, 300))
    let output = try RenderedOutput()
    let reply = Thumbnailer.run(
      request([(100, 100), (40, 40), (100, 100)]), decoder: &decoder, output: output.number)
    #expect(decoder.decodes == 1)
    #expect(decoder.neededSizes == [PixelSize(width: 100, height: 75)])
    #expect(reply.problems == [])
    #expect(reply.facts?.storedSize == PixelSize(width: 400, height: 300))
    #expect(reply.renditions.map(\.requestIndex) == [0, 1, 2])
    #expect(reply.renditions.map(\.size.width) == [100, 40, 100])
    let ranges = reply.renditions.map(\.bytes).sorted { $0.lowerBound < $1.lowerBound }
    #expect(ranges.first?.lowerBound == 0)
    for (left, right) in zip(ranges, ranges.dropFirst()) {
      #expect(left.upperBound == right.lowerBound)
    }
    #expect(ranges.last?.upperBound == (try output.bytes().count))
    for rendition in reply.renditions {
      #expect(try output.bytes()[rendition.bytes].starts(with: [0xFF, 0xD8, 0xFF]))
    }
  }

  @Test("Probing reads the header and decodes nothing; probing deeply decodes every row")
  func probes() throws {
    let output = try RenderedOutput()
    var decoder = SyntheticDecoder(.gray, planes: [.noise(8, 8)])
    var reply = Thumbnailer.run(
      RenderRequest(operation: .probe), decoder: &decoder, output: output.number)
    #expect(decoder.decodes == 0)
    #expect(reply.facts?.displayedSize == PixelSize(width: 8, height: 8))
    var truncated = SyntheticDecoder(.gray, planes: [.noise(8, 8)], endsAfter: 2)
    reply = Thumbnailer.run(
      RenderRequest(operation: .probeDeep), decoder: &truncated, output: output.number)
    #expect(truncated.neededSizes == [nil])
    #expect(reply.problems.map(\.code) == [.corrupt])
    #expect(reply.visibleFraction == 0.25)
    #expect(reply.facts != nil)
    #expect(try output.bytes() == [])
  }

  @Test("A covering rendition shows the centre alone where nothing stands out, as displayed")
  func cover() throws {
    // Thirds of red, green and red of one lightness, stored lying on their side: no edge is seen.
    let plane = PixelPlane.made(60, 180, components: 3) { _, y, c in
      y / 60 == 1 ? [0, 130, 0][c] : [255, 0, 0][c]
    }
    var decoder = SyntheticDecoder(.rgb, planes: [plane], orientation: .right)
    let output = try RenderedOutput()
    let reply = Thumbnailer.run(
      request([(30, 30)], fit: .cover, format: .png), decoder: &decoder, output: output.number)
    let rendition = try #require(reply.renditions.first)
    #expect(rendition.size == PixelSize(width: 30, height: 30))
    let pixels = try output.decode(rendition)
    for pixel in stride(from: 0, to: pixels.samples.count, by: 3) {
      // Lanczos looks over the edge of the part, as it should, by three samples.
      let column = pixel / 3 % 30
      guard (4..<26).contains(column) else { continue }
      #expect(Array(pixels.samples[pixel..<pixel + 3]) == [0, 130, 0])
    }
  }

  @Test(
    "A covering rendition shows what stands out, and tells so of the whole picture",
    arguments: [(Orientation.up, Orientation.up), (.right, .left), (.upMirrored, .upMirrored)])
  func coverOfSubject(orientation: Orientation, inverse: Orientation) throws {
    // As displayed: blue, with a black and white chequered square at the right end.
    let displayed = PixelPlane<UInt8>.made(240, 80, components: 3) { x, y, c in
      let isSubject = x >= 170 && y > 10 && y < 70
      return isSubject ? ((x / 6 + y / 6) % 2 == 0 ? 255 : 0) : [40, 70, 160][c]
    }
    var decoder = SyntheticDecoder(
      .rgb, planes: [displayed.oriented(inverse)], orientation: orientation)
    let output = try RenderedOutput()
    let reply = Thumbnailer.run(
      request([(40, 40)], fit: .cover, format: .png), decoder: &decoder, output: output.number)
    let rendition = try #require(reply.renditions.first)
    #expect(rendition.size == PixelSize(width: 40, height: 40))
    let pixels = try output.decode(rendition)
    // The subject's left edge lies at 85 of 120 scaled columns, 5 into the last 40.
    let middle = (0..<40).map { column in pixels.samples[(20 * 40 + column) * 3] }
    #expect(middle[1] == 40)
    let subject = middle.suffix(30)
    #expect(subject.contains { $0 > 200 })
    #expect(subject.contains { $0 < 30 })
    let square = try #require(reply.hints?.square)
    #expect(square.x > 0.6 && square.y == 0)
  }

  @Test(
    "Bytes that are no picture are told apart from pictures that are not read",
    arguments: [
      ("%PDF-1.7 ", Problem.Code.notMedia), ("nothing at all", .notMedia), ("", .notMedia),
      ("<svg xmlns='http://www.w3.org/2000/svg'/>", .unsupportedFormat),
      ("ID3\u{3}\0\0\0\0\0\0", .unsupportedFormat),
    ])
  func refusals(text: String, code: Problem.Code) throws {
    let input = try RenderedOutput(holding: Array(text.utf8))
    let output = try RenderedOutput()
    let reply = Thumbnailer.run(
      request([(30, 30)]), input: input.number, output: output.number)
    #expect(reply.problems.map(\.code) == [code])
    #expect(reply.facts == nil)
    #expect(try output.bytes() == [])
  }

  @Test("A file that ends early is refused, or gives the part that came when asked")
  func partial() throws {
    let output = try RenderedOutput()
    let plane = PixelPlane.made(80, 60, components: 3) { _, _, _ in 90 }
    var decoder = SyntheticDecoder(.rgb, planes: [plane], endsAfter: 30)
    var reply = Thumbnailer.run(request([(40, 40)]), decoder: &decoder, output: output.number)
    #expect(reply.renditions == [])
    #expect(reply.problems.map(\.code) == [.corrupt])
    #expect(reply.problems.map(\.severity) == [.error])
    reply = Thumbnailer.run(
      request([(40, 40)], format: .png, acceptsPartial: true), decoder: &decoder,
      output: output.number)
    #expect(reply.visibleFraction == 0.5)
    #expect(reply.problems.map(\.severity) == [.warning])
    let rendition = try #require(reply.renditions.first)
    #expect(rendition.size == PixelSize(width: 40, height: 15))
    let decoded = try output.decode(rendition)
    #expect(decoded.samples.allSatisfy { $0 == 90 })
  }
}
