import Media
import Testing
import WebPage

/// Pages that are large, deep or made to harm: bounded work, and what came before is kept.
@Suite(.timeLimit(.minutes(15)))
struct BoundsTests {
  private static let head =
    "<html><head><title>Before</title><meta property=og:image content=/before.jpg></head>"
  private static let picture = [PageFacts.Picture(.openGraph, "/before.jpg")]

  private func expectHead(_ reply: PageReply) {
    #expect(reply.facts?.title == "Before")
    #expect(reply.facts?.pictures.first == Self.picture.first)
  }

  @Test(arguments: ["div", "b", "font", "article", "table", "ul><li", "svg", "x-y", "template"])
  func `100,000 elements inside each other are no deeper than what is read`(element: String) {
    expectHead(read(Self.head + "<body>" + String(repeating: "<\(element)>", count: 100_000)))
  }

  @Test func `100,000 ends without a start`() {
    expectHead(read(Self.head + "<body>" + String(repeating: "</x>", count: 100_000)))
  }

  @Test func `What lies beyond 2 MB is not read`() {
    let filler = String(repeating: "<p>filling 1234567</p>\n", count: 250_000)
    let late = "<meta name=application-name content=Late>"
    #expect(filler.utf8.count > 5_000_000)
    let reply = read(Self.head + filler + late)
    expectHead(reply)
    #expect(reply.facts?.publisher == nil)
    let within = read(Self.head + String(filler.prefix(1_000_000)) + late)
    #expect(within.facts?.publisher == "Late")
  }

  @Test func `One text, attribute or comment of 2 MB`() {
    let much = String(repeating: "x", count: 2_000_000)
    expectHead(read(Self.head + much))
    expectHead(read(Self.head + "<p title=\"" + much))
    expectHead(read(Self.head + "<!-- " + much))
    expectHead(read(Self.head + "<" + much))
    expectHead(read(Self.head + "<script type=application/ld+json>" + much))
    expectHead(read(Self.head + "&" + much))
  }

  /// libxml2 compares each attribute with all before it, so that it may see few: what it does is
  /// counted here, not timed.
  @Test(arguments: [
    "a%=b", "a%=\"b > c\"", "a%='<'", "A%", "a%\n=\nb", "a%=b/", "=a%",
    "a%" + String(repeating: "x", count: 1000),
  ])
  func `100,000 attributes are cut before the parser, by one look at each byte`(
    attribute: String
  ) {
    let count = attribute.count > 100 ? 1500 : 100_000
    let many = (0..<count).map { attribute.replacing("%", with: "\($0)") }
    let tag = "<p \(many.joined(separator: " ")) title='last'>"
    let page = Array((Self.head + tag + "<meta name=application-name content=After>").utf8)
    let (bounded, steps) = PageRepairs.bounded(page)
    #expect(steps <= page.count)
    #expect(bounded.count < Self.head.utf8.count + 64 * 1024)
    let text = String(decoding: bounded, as: UTF8.self)
    #expect(!text.contains("title='last'"))
    #expect(text.contains("content=After"))
    expectHead(read(page))
    #expect(read(page).facts?.publisher == "After")
  }

  @Test func `Titles that never end change nothing and are looked for once`() {
    let page = Array(String(repeating: "<title>a<b>", count: 20_000).utf8)
    let (bounded, steps) = PageRepairs.bounded(page)
    #expect(bounded == page)
    #expect(steps <= 2 * page.count)
  }

  @Test func `What few attributes have stays as it is, and so does what only looks like them`() {
    let words = (0..<2000).map { "w\($0)" }.joined(separator: " ")
    for page in [
      "<img alt=\"\(words)\" src=/x.jpg>", "<script>i<n \(words)</script><p>",
      "<!-- <p \(words) --><p>",
      "<p>\(words) < \(words)", "<style>a<b \(words)</style>", "<img alt='\(words)",
    ] {
      #expect(PageRepairs.bounded(Array(page.utf8)).page == Array(page.utf8))
    }
  }

  @Test func `JSON-LD that is nested too deep, or holds too much, says nothing`() {
    let script = "<script type=application/ld+json>"
    let deep = String(repeating: "[", count: 500_000)
    expectHead(read(Self.head + script + deep + "</script>"))
    let many = "[" + String(repeating: "{\"image\":\"/i.jpg\"},", count: 80_000) + "{}]"
    expectHead(read(Self.head + script + many + "</script>"))
  }

  @Test func `An answer holds at most 64 pictures and 64 kB of text`() throws {
    let long = String(repeating: "p", count: 8000)
    let list = (0..<16).map { "\"/\($0)\(long)\"" }.joined(separator: ",")
    let page = "<script type=application/ld+json>{\"image\":[\(list)]}</script>"
    let facts = try #require(read(page).facts)
    #expect(facts.pictures.count == 8)
  }

  @Test func `Mutilated pages are read to some end`() throws {
    var random = Mutations(seed: 20)
    let start = Array((Self.head + "<body><article><img srcset='/a 1x,/b 2x' src=/c alt=d>").utf8)
    for _ in 0..<2000 {
      let reply = read(random.mutated(start))
      #expect((reply.facts?.pictures.count ?? 0) <= 64)
    }
  }
}

/// Seeded changes of bytes.
private struct Mutations {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  private mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }

  mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<(1 + next(8)) {
      let place = next(bytes.count)
      switch next(4) {
      case 0: bytes[place] = UInt8(next(256))
      case 1: bytes.insert(contentsOf: "<>\"'&=\0/".utf8.prefix(1 + next(8)), at: place)
      case 2: bytes.removeSubrange(place..<min(bytes.count, place + 1 + next(20)))
      default: bytes.insert(contentsOf: bytes[place...].prefix(next(60)), at: place)
      }
      if bytes.isEmpty { bytes = [0x3C] }
    }
    return bytes
  }
}
