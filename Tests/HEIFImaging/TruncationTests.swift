import Files
import HEIFImaging
import Imaging
import Media
import Testing

@Suite("Truncated HEIC and AVIF") struct TruncationTests {
  @Test("Every truncation of a HEIC is told as one")
  func heic() async throws {
    try checkAll(try await TestPicture.waves(width: 64, height: 64).heic())
  }

  @Test("Every truncation of an AVIF with alpha is told as one")
  func avif() async throws {
    try checkAll(try await TestPicture.waves(width: 64, height: 64, hasAlpha: true).avif())
  }

  @Test("A truncated grid gives the rows before the gap")
  func grid() async throws {
    let picture = TestPicture.waves(width: 128, height: 192)
    let bytes = try await HEICGrid(picture, tile: 64, width: 128, height: 192).file.bytes
    let file = try MemoryFile.create("picture")
    let cut = Array(bytes.dropLast(10))
    let span = cut.span
    unsafe try file.write(span.bytes)
    var decoder = HEIFDecoder(input: file.number)
    _ = try decoder.readHeader(DecodeLimits())
    var sink = LumaRows()
    do {
      try decoder.decode(needed: nil, into: &sink)
      Issue.record("not told as truncated")
    } catch DecodeFailure.truncated {}
    #expect(sink.count == 128)
  }

  @Test("So does one whose colours become RGB")
  func pixelGrid() async throws {
    let picture = TestPicture.waves(width: 128, height: 192)
    let bytes = try await HEICGrid(
      picture, tile: 64, width: 128, height: 192, options: ["--matrix_coefficients", "1"]
    ).file.bytes
    let whole = try rows(of: bytes)
    #expect(whole.count == 192 && !whole.isTruncated)
    let cut = try rows(of: Array(bytes.dropLast(10)))
    #expect(cut.count == 128 && cut.isTruncated)
    #expect(cut.samples == Array(whole.samples.prefix(cut.samples.count)))
  }

  @Test("A file that lost only what lies beside its picture is shown, and --deep tells it")
  func besidePicture() async throws {
    // The last box says one byte more than there is.
    let whole = try await TestPicture.waves(width: 64, height: 64).heic()
    let longer = whole + bigEndian(17) + Array("mdat".utf8) + [UInt8](repeating: 0, count: 8)
    for (bytes, isCut) in [(whole, false), (longer, true), (longer + [0], false)] {
      let file = try MemoryFile.sealed("picture", holding: bytes)
      var decoder = HEIFDecoder(input: file.number)
      let output = try MemoryFile.create("output")
      let reply = Thumbnailer.run(
        RenderRequest(operation: .probeDeep), decoder: &decoder, output: output.number)
      #expect(reply.problems.map(\.code) == (isCut ? [.corrupt] : []))
      let rendition = RenderRequest.Rendition(
        box: PixelSize(width: 64, height: 64), fit: .contain, stillBudget: nil, animatedBudget: nil)
      var other = HEIFDecoder(input: file.number)
      let shown = Thumbnailer.run(
        RenderRequest(operation: .render, renditions: [rendition]), decoder: &other,
        output: output.number)
      #expect(shown.renditions.count == 1 && shown.problems == [])
    }
  }

  private func bigEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  @Test("A picture in one piece says that it cannot be shown in part")
  func single() async throws {
    for bytes in [
      try await TestPicture.waves(width: 64, height: 64).heic(),
      try await TestPicture.waves(width: 64, height: 64).avif(),
    ] {
      let file = try MemoryFile.sealed("picture", holding: Array(bytes.dropLast(20)))
      let request = RenderRequest(
        operation: .render,
        renditions: [
          .init(
            box: PixelSize(width: 64, height: 64), fit: .contain, stillBudget: nil,
            animatedBudget: nil)
        ], acceptsPartial: true)
      var decoder = HEIFDecoder(input: file.number)
      let output = try MemoryFile.create("output")
      let reply = Thumbnailer.run(request, decoder: &decoder, output: output.number)
      #expect(reply.renditions.isEmpty)
      #expect(reply.problems.map(\.code) == [.corrupt])
      #expect(reply.problems.first?.message.contains("one piece") == true)
    }
  }

  private func rows(of bytes: [UInt8]) throws -> PixelRows {
    let file = try MemoryFile.sealed("picture", holding: bytes)
    var decoder = HEIFDecoder(input: file.number)
    _ = try decoder.readHeader(DecodeLimits())
    var sink = PixelRows()
    do {
      try decoder.decode(needed: nil, into: &sink)
    } catch DecodeFailure.truncated {
      sink.isTruncated = true
    }
    return sink
  }

  private func checkAll(_ file: [UInt8]) throws {
    _ = try decode(file)
    for length in 0..<file.count {
      do {
        _ = try decode(Array(file[..<length]))
        Issue.record("\(length) of \(file.count) bytes were enough")
      } catch DecodeFailure.truncated {
        continue
      } catch {
        Issue.record("\(length) of \(file.count) bytes: \(error)")
      }
    }
  }
}

/// Keeps the rows of a picture that comes as pixels.
private struct PixelRows: RowSink {
  var count = 0
  var samples: [UInt8] = []
  var isTruncated = false

  mutating func begin(_ raster: RasterDescription) {}

  mutating func consume(_ row: Span<UInt8>, plane: Int) {
    if plane == 0 { count += 1 }
    for index in row.indices { samples.append(row[index]) }
  }

  mutating func consume(_ row: Span<UInt16>, plane: Int) {}
}

/// Counts the rows of the first plane.
private struct LumaRows: RowSink {
  var count = 0

  mutating func begin(_ raster: RasterDescription) {}

  mutating func consume(_ row: Span<UInt8>, plane: Int) {
    if plane == 0 { count += 1 }
  }

  mutating func consume(_ row: Span<UInt16>, plane: Int) {}
}
