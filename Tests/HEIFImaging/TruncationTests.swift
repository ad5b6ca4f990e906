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

/// Counts the rows of the first plane.
private struct LumaRows: RowSink {
  var count = 0

  mutating func begin(_ raster: RasterDescription) {}

  mutating func consume(_ row: Span<UInt8>, plane: Int) {
    if plane == 0 { count += 1 }
  }

  mutating func consume(_ row: Span<UInt16>, plane: Int) {}
}
