import Media
import TestSupport
import Testing

@Suite struct JPEGScanReaderTests {
  private struct Scan: Hashable {
    let end: Int
    let precision: JPEGPrecision?
  }

  /// The scans of a file that comes in pieces of `count` bytes.
  private static func scans(_ file: [UInt8], pieces count: Int) -> [Scan] {
    var reader = JPEGScanReader()
    var found: [Scan] = []
    for start in stride(from: 0, to: file.count, by: count) {
      let piece = Array(file[start..<min(start + count, file.count)])
      var index = 0
      while reader.readScan(piece.span, from: &index) {
        found.append(Scan(end: start + index, precision: reader.precision(eighths: 8)))
      }
    }
    return found
  }

  private static func sample() throws -> [UInt8] {
    try FileBytes.read(Project.path("media-samples/jpeg/large-progressive.jpg"))
  }

  @Test("Each scan ends behind the marker after it, and the last leaves nothing out")
  func scans() throws {
    let file = try Self.sample()
    let scans = Self.scans(file, pieces: file.count)
    // libjpeg's own script for YCbCr has ten (jcparam.c).
    #expect(scans.count == 10)
    for scan in scans {
      #expect(file[scan.end - 2] == 0xFF)
      #expect([0xC4, 0xDA, 0xD9].contains(file[scan.end - 1]))
    }
    // After the first only the means have come, but for one bit.
    let first = try #require(scans.first?.precision)
    #expect(first.components.allSatisfy { $0.missingBits[0] == 1 && $0.missingBits[1] == -1 })
    let last = try #require(scans.last?.precision)
    #expect(last.components.allSatisfy { $0.missingBits.allSatisfy { $0 == 0 } })
    #expect(last.error == 0)
  }

  @Test("Pieces of any size tell the same", arguments: [1, 2, 3, 7, 64, 1000, 16_384])
  func pieces(count: Int) throws {
    let file = try Self.sample()
    #expect(Self.scans(file, pieces: count) == Self.scans(file, pieces: file.count))
  }

  @Test(
    "What is no progressive JPEG tells nothing", arguments: ["jpeg/large.jpg", "png/rgb-8.png"])
  func others(name: String) throws {
    let file = try FileBytes.read(Project.path("media-samples/\(name)"))
    #expect(Self.scans(file, pieces: file.count).isEmpty)
  }

  @Test("Spoilt bytes end in nothing worse than no answer")
  func mutations() throws {
    let file = try Self.sample()
    var random = SystemRandomNumberGenerator()
    for _ in 0..<TestScale.count(300, nightly: 20_000) {
      // Headers decide; the data between them are stepped over.
      var bytes = Array(file.prefix(4000))
      for _ in 0..<4 {
        let place = Int.random(in: 0..<1000, using: &random)
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      for scan in Self.scans(bytes, pieces: 500) {
        #expect((scan.precision?.components.count ?? 1) <= 4)
        _ = scan.precision?.suffices(inHurry: true)
      }
    }
  }
}
