import Media
import Sandbox
import Testing

@Suite(.timeLimit(.minutes(15)))
struct MessageTests {
  static let request = RenderRequest(
    operation: .render,
    renditions: [
      RenderRequest.Rendition(.iphone),
      RenderRequest.Rendition(
        box: PixelSize(width: 7, height: 300), fit: .cover, stillBudget: nil, animatedBudget: 1),
    ],
    outputFormat: .png, quality: 61, flatten: RGBColour(red: 1, green: 128, blue: 255),
    acceptsPartial: true, leastVisible: 0.5, embedded: .asFallback, comparison: .milliseconds(70),
    limits: DecodeLimits(maxPixels: 12_000_000, maxFrames: 17),
    attachment: .wide)

  static let reply = RenderReply(
    facts: PictureFacts(
      format: .heic, storedSize: PixelSize(width: 4032, height: 3024), orientation: .right,
      frames: 3, durationSeconds: 0.25, hasAlpha: true, bitDepth: 10, colorSpace: "Display P3 – é",
      codecs: ["hevc", "av1"]),
    media: MediaFacts(
      format: .mov, durationSeconds: 61.5, codecs: ["hevc", "aac"],
      displayedSize: PixelSize(width: 1080, height: 1920), orientation: .left, bitDepth: 10,
      colorSpace: "BT.2100 HLG", hasCover: true, posterSeconds: 6.25),
    renditions: [
      RenderReply.Rendition(
        requestIndex: 1, format: .gif, size: PixelSize(width: 7, height: 290), frames: 3,
        bytes: 1000..<2_000_000_000_000)
    ],
    cover: RenderReply.Part(format: .png, bytes: 5..<9),
    attachment: RenderReply.Part(format: .mp4, bytes: 9..<70_000_000),
    problems: [
      Problem(.decode, .corrupt, "ends at byte 7", severity: .warning, url: "https://a.example/"),
      Problem(.store, .diskFull, ""),
    ],
    visibleFraction: 0.625)

  @Test func `a request comes through as it was`() throws {
    #expect(try RenderRequest(decoding: Self.request.encoded) == Self.request)
    let probe = RenderRequest(operation: .probe)
    #expect(try RenderRequest(decoding: probe.encoded) == probe)
  }

  @Test func `an answer comes through as it was`() throws {
    #expect(try RenderReply(decoding: Self.reply.encoded) == Self.reply)
    #expect(try RenderReply(decoding: RenderReply().encoded) == RenderReply())
  }

  @Test(arguments: Orientation.allCases) func `each orientation comes through`(
    _ orientation: Orientation
  ) throws {
    var reply = Self.reply
    reply.facts?.orientation = orientation
    #expect(try RenderReply(decoding: reply.encoded).facts?.orientation == orientation)
  }

  @Test func `numbers are little-endian, text has its length before it`() {
    var message = MessageWriter()
    message.append(Int32(-2))
    message.append(UInt16(0x0102))
    message.append("é")
    message.append(true)
    #expect(message.bytes == [0xfe, 0xff, 0xff, 0xff, 2, 1, 2, 0, 0xc3, 0xa9, 1])
  }

  @Test func `every shorter form is refused, and every longer one`() {
    let request = Self.request.encoded
    for count in 0..<request.count {
      #expect(throws: MessageFailure.self) { try RenderRequest(decoding: Array(request[..<count])) }
    }
    #expect(throws: MessageFailure.excess(1)) { try RenderRequest(decoding: request + [0]) }
    let reply = Self.reply.encoded
    for count in 0..<reply.count {
      #expect(throws: MessageFailure.self) { try RenderReply(decoding: Array(reply[..<count])) }
    }
    #expect(throws: MessageFailure.excess(2)) { try RenderReply(decoding: reply + [0, 0]) }
  }

  @Test func `changed bytes never trap, and what is read is within bounds`() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      var bytes = Bool.random(using: &generator) ? Self.reply.encoded : Self.request.encoded
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[index] = .random(in: 0...255, using: &generator)
      }
      _ = try? RenderRequest(decoding: bytes)
      guard let reply = try? RenderReply(decoding: bytes) else { continue }
      #expect((0...1).contains(reply.visibleFraction))
      #expect(reply.renditions.allSatisfy { $0.bytes.lowerBound >= 0 && $0.size.width > 0 })
    }
  }

  @Test func `random bytes never trap`() {
    var generator = SeededGenerator(seed: 11)
    for count in 0..<2000 {
      let bytes = (0..<count % 300).map { _ in UInt8.random(in: 0...255, using: &generator) }
      _ = try? RenderReply(decoding: [2] + bytes)
      _ = try? RenderRequest(decoding: [2] + bytes)
      _ = try? Envelope(decoding: bytes)
    }
  }

  @Test func `long text is cut at a character, long lists after 64`() throws {
    var reply = RenderReply(
      problems: Array(repeating: Problem(.decode, .corrupt, "x"), count: 100))
    #expect(try RenderReply(decoding: reply.encoded).problems.count == 64)
    // 4 bytes a family member and 3 a joiner: 25 bytes, which 2048 is no multiple of.
    reply.problems = [Problem(.decode, .corrupt, String(repeating: "👨‍👩‍👧‍👦", count: 200))]
    let message = try #require(try RenderReply(decoding: reply.encoded).problems.first?.message)
    #expect(message == String(repeating: "👨‍👩‍👧‍👦", count: 81))
  }

  @Test func `a text or list that says it is longer than allowed is refused`() {
    var text = MessageReader([0x01, 0x08] + [UInt8](repeating: 65, count: 3000))
    #expect(throws: MessageFailure.tooLong(limit: 2048, actual: 2049)) {
      try text.read(String.self)
    }
    var list = MessageReader([65, 0] + [UInt8](repeating: 0, count: 100))
    #expect(throws: MessageFailure.tooLong(limit: 64, actual: 65)) {
      try list.readArray { message throws(MessageFailure) in try message.read(UInt8.self) }
    }
  }

  @Test func `an envelope keeps kind and body apart`() throws {
    let posture = SandboxPosture(
      landlockABI: 7, seccomp: true, noNewPrivileges: true, resourceLimits: false)
    for envelope in [Envelope.ready(posture), .request([1, 2]), .reply([])] {
      #expect(try Envelope(decoding: envelope.encoded) == envelope)
    }
    #expect(throws: MessageFailure.badValue("kind 4")) { try Envelope(decoding: [4]) }
    #expect(throws: MessageFailure.truncated) { try Envelope(decoding: []) }
  }
}

/// SplitMix64: the same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }
}
