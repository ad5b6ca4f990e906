import Download
import Media
import Pipeline
import Testing

/// What a page's facts become: addresses that can be fetched, texts that can be shown.
@Suite(.timeLimit(.minutes(15)))
struct PageContentsTests {
  private func contents(
    _ pictures: [PageFacts.Picture], base: String? = nil, title: String? = nil,
    publisher: String? = nil
  ) throws -> PageContents {
    let address = try #require(WebAddress("https://paper.example/news/story.html?id=1"))
    return PageContents(
      PageFacts(baseReference: base, title: title, publisher: publisher, pictures: pictures),
      from: address)
  }

  private func addresses(_ contents: PageContents) -> [String] {
    contents.candidates.map { candidate in
      if case .web(let address) = candidate.address { address.description } else { "-" }
    }
  }

  @Test(arguments: [
    ("a.jpg", "https://paper.example/news/a.jpg"), ("/a.jpg", "https://paper.example/a.jpg"),
    ("//cdn.example/a.jpg", "https://cdn.example/a.jpg"),
    ("http://cdn.example/a.jpg", "http://cdn.example/a.jpg"),
    ("?v=2", "https://paper.example/news/story.html?v=2"),
    ("../사진 1.jpg", "https://paper.example/%EC%82%AC%EC%A7%84%201.jpg"),
    ("https://exämple.test/a", "https://xn--exmple-cua.test/a"),
  ])
  func `A reference resolves against the page`(reference: String, expected: String) throws {
    #expect(try addresses(contents([.init(.openGraph, reference)])) == [expected])
  }

  @Test(arguments: [
    ("https://cdn.example/x/", "https://cdn.example/x/a.jpg"),
    ("/img/", "https://paper.example/img/a.jpg"),
    ("deep/", "https://paper.example/news/deep/a.jpg"),
    ("//cdn.example", "https://cdn.example/a.jpg"),
    // What can be no base leaves the page's own address in force (WHATWG HTML, "frozen base URL").
    ("javascript:void(0)", "https://paper.example/news/a.jpg"),
  ])
  func `A reference resolves against the base, and the base against the page`(
    base: String, expected: String
  ) throws {
    #expect(try addresses(contents([.init(.openGraph, "a.jpg")], base: base)) == [expected])
  }

  @Test func `Two references to one address are one candidate, the first`() throws {
    let contents = try contents([
      .init(.openGraphSecure, "https://paper.example/a.jpg", altText: "One"),
      .init(.openGraph, "/a.jpg", altText: "Two"), .init(.twitter, "/b.jpg"),
    ])
    #expect(
      addresses(contents) == ["https://paper.example/a.jpg", "https://paper.example/b.jpg"])
    #expect(contents.candidates.first?.altText == "One")
  }

  @Test func `References that cannot be fetched are counted in one note`() throws {
    let contents = try contents([
      .init(.openGraph, "ftp://paper.example/a.jpg"), .init(.twitter, "https://"),
      .init(.marked, "/b.jpg"),
    ])
    #expect(addresses(contents) == ["https://paper.example/b.jpg"])
    #expect(contents.problems.map(\.code) == [.unsupportedURL])
    #expect(contents.problems.first?.severity == .note)
    #expect(contents.problems.first?.url == "https://paper.example/news/story.html?[redacted]")
  }

  @Test func `Touch icons are icons of any size, all else is a picture of 64 by 64 or more`() throws
  {
    let candidates = try contents([.init(.element, "/a"), .init(.touchIcon, "/i")]).candidates
    #expect(candidates.map(\.rung) == [.full, .icon])
    #expect(candidates.map(\.minimumSize) == [PixelSize(width: 64, height: 64), nil])
  }

  @Test func `Texts are made fit to be shown, and not decoded again`() throws {
    let contents = try contents(
      [.init(.openGraph, "/a", altText: " \u{202E}A\u{7}\n ")], title: "One\n  &amp;\u{0} two",
      publisher: "e\u{301}")
    #expect(contents.title == "One &amp; two")
    #expect(contents.publisher == "\u{E9}")
    #expect(contents.candidates.first?.altText == "A")
  }

  @Test func `The host is the publisher of a page that names none`() throws {
    #expect(try contents([]).publisher == "paper.example")
    #expect(try contents([], publisher: " \n").publisher == "paper.example")
    #expect(try contents([], title: "\u{200B}\u{7}").title != "")
  }
}
