import Media
import TestSupport
import Testing
import WebPage

/// Small pages of our own, each with what must be found in it.
@Suite(.timeLimit(.minutes(15)))
struct PageTests {
  @Test("Candidates, title and publisher are those of the table", arguments: PageCase.all)
  func page(_ expected: PageCase) throws {
    let page = try FileBytes.read(Project.path("Tests/WebPage/Pages/\(expected.name).html"))
    let reply = read(page, contentType: expected.contentType)
    #expect(reply.problems.map(\.code) == expected.problems)
    #expect((reply.facts != nil) == expected.isPage)
    let facts = reply.facts ?? PageFacts()
    #expect(facts.pictures == expected.pictures)
    #expect(facts.title == expected.title)
    #expect(facts.publisher == expected.publisher)
    #expect(facts.baseReference == expected.base)
  }

  @Test func `Every page has its case, and every case its page`() throws {
    let pages = try Project.files(under: "Tests/WebPage/Pages").map { $0.dropLast(".html".count) }
    #expect(pages.map(String.init).sorted() == PageCase.all.map(\.name).sorted())
    #expect(pages.count >= 60)
  }
}
