import Media
import Sandbox
import Testing

@Suite(.timeLimit(.minutes(15)))
struct PageMessageTests {
  static let reply = PageReply(
    facts: PageFacts(
      baseReference: "https://a.example/b/", title: "제목", publisher: nil,
      pictures: [
        .init(.openGraph, "/a.jpg", altText: "A"),
        .init(.touchIcon, String(repeating: "i", count: PageFacts.longestReference)),
      ]),
    problems: [Problem(.page, .unsupportedCharset, "x", severity: .note)])

  @Test func `a page's request and answer come through as they were`() throws {
    for request in [PageRequest(), PageRequest(contentType: "text/html; charset=euc-kr")] {
      #expect(try PageRequest(decoding: request.encoded) == request)
    }
    #expect(try PageReply(decoding: Self.reply.encoded) == Self.reply)
    #expect(try PageReply(decoding: PageReply().encoded) == PageReply())
  }

  @Test func `every shorter form is refused, and every longer one`() {
    let bytes = Self.reply.encoded
    for count in 0..<bytes.count {
      #expect(throws: MessageFailure.self) { try PageReply(decoding: Array(bytes[..<count])) }
    }
    #expect(throws: MessageFailure.excess(1)) { try PageReply(decoding: bytes + [0]) }
  }

  @Test func `no more than 64 pictures, no reference above 8 kB`() throws {
    var facts = PageFacts()
    facts.pictures = Array(repeating: .init(.element, "/i"), count: 100)
    #expect(try PageReply(decoding: PageReply(facts: facts).encoded).facts?.pictures.count == 64)
    let longest = PageFacts.longestReference
    // 0x2001 is one byte too many.
    var message = MessageReader([0x01, 0x20] + [UInt8](repeating: 65, count: 9000))
    #expect(throws: MessageFailure.tooLong(limit: longest, actual: longest + 1)) {
      try message.read(limit: longest)
    }
  }

  @Test func `changed bytes never trap, and what is read is within bounds`() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<5000 {
      var bytes = Self.reply.encoded
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let index = Int.random(in: 0..<min(bytes.count, 80), using: &generator)
        bytes[index] = .random(in: 0...255, using: &generator)
      }
      guard let facts = (try? PageReply(decoding: bytes))?.facts else { continue }
      #expect(facts.pictures.allSatisfy { $0.reference.utf8.count <= PageFacts.longestReference })
    }
  }
}
