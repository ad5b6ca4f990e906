import Media
import TestSupport
import Testing

/// Heads of real shape with wrong bytes in them: sniffing must come back with some answer.
@Suite(.timeLimit(.minutes(10))) struct MutatedHeadTests {
  /// Knuth's multiplier (MMIX): the same numbers on every run.
  struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 33
    }
  }

  @Test func `No mutation of a sample's head stops the sniffer`() throws {
    var numbers = Numbers(state: 20_260_101)
    for sample in Samples.all {
      let head = try FileBytes.head(of: sample.path, count: 1024)
      guard !head.isEmpty else { continue }
      for _ in 0..<TestScale.count(40, nightly: 4000) {
        let bytes = Self.mutated(head, &numbers)
        let format = MediaFormat.sniff(bytes)
        for candidate in [format, sample.format] { _ = candidate.announcesAnimation(bytes) }
      }
    }
  }

  /// A few bytes overwritten, mostly near the start where sizes are, and an end cut off.
  static func mutated(_ head: [UInt8], _ numbers: inout Numbers) -> [UInt8] {
    var bytes = head
    for _ in 0..<Int.random(in: 1...6, using: &numbers) {
      let reach = Bool.random(using: &numbers) ? min(48, bytes.count) : bytes.count
      let extremes: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &numbers)]
      let place = Int.random(in: 0..<reach, using: &numbers)
      bytes[place] = extremes.randomElement(using: &numbers) ?? 0
    }
    return Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &numbers)))
  }

  @Test(
    "Long runs of what a walk follows end with the bytes",
    arguments: [
      [UInt8]("ID3\u{3}\0\0\0\0\0\0".utf8), [0, 0, 0, 8] + [UInt8]("free".utf8),
      [UInt8]("<!-- -->".utf8), [UInt8]("<?x?>".utf8), [UInt8]("<!doctype a>".utf8),
      [0x1A, 0x45, 0xDF, 0xA3], [0x47], [0x21, 0xFE, 0x00],
    ])
  func runs(unit: [UInt8]) {
    let bytes = Array(repeatElement(unit, count: 200_000 / unit.count).joined())
    let format = MediaFormat.sniff(bytes)
    for candidate in MediaFormat.allCases { _ = candidate.announcesAnimation(bytes) }
    #expect([.unknown, .mp3, .mov, .html, .mkv, .mpeg].contains(format))
  }
}
