import Media
import TestSupport
import Testing
import WebPage

/// Feeds and sitemaps, each with what must be found in it, and those made to harm.
@Suite(.timeLimit(.minutes(15)))
struct ListingTests {
  private func read(
    _ bytes: [UInt8], contentType: String? = nil
  ) -> (reply: PageReply, entries: [ListingEntry]) {
    var entries: [ListingEntry] = []
    let request = PageRequest(.listing, contentType: contentType)
    let reply = unsafe ListingReader.read(request, bytes.span.bytes) { entries.append($0) }
    return (reply, entries)
  }

  private func zipped(_ bytes: [UInt8]) async throws -> [UInt8] {
    try await Command.tool("gzip", ["-c"], input: bytes).run().output
  }

  @Test("Entries are those of the table", arguments: ListingCase.all)
  func listing(_ expected: ListingCase) {
    let (reply, entries) = read(Array(expected.text.utf8), contentType: expected.contentType)
    #expect(entries == expected.entries)
    #expect(reply.listing?.kind == expected.kind)
    #expect(reply.facts == nil)
    guard let listing = reply.listing else {
      return #expect(reply.problems.map(\.code) == [.notMedia])
    }
    #expect(listing.entries == entries.count)
    #expect(listing.isCut == expected.isCut)
  }

  @Test("The same in gzip", arguments: ListingCase.all.filter { $0.kind != nil })
  func compressed(_ expected: ListingCase) async throws {
    #expect(read(try await zipped(Array(expected.text.utf8))).entries == expected.entries)
  }

  @Test("Other charsets, by declaration, mark and Content-Type")
  func charsets() {
    let head = Array("<?xml version='1.0' encoding='windows-1251'?>".utf8)
    let start = Array("<rss><channel><item><link>https://a.example/".utf8)
    let end = Array("</link></item></channel></rss>".utf8)
    let expected = [ListingEntry(.page, "https://a.example/Я")]
    #expect(read(head + start + [0xDF] + end).entries == expected)
    let type = "application/rss+xml; charset=windows-1251"
    #expect(read(start + [0xDF] + end, contentType: type).entries == expected)
    let text = String(decoding: start, as: UTF8.self) + "Я" + String(decoding: end, as: UTF8.self)
    let units = text.utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    let wide: [UInt8] = [0xFF, 0xFE] + units
    #expect(read(wide).entries == expected)
    #expect(read([0xEF, 0xBB, 0xBF] + Array(text.utf8)).entries == expected)
  }

  @Test func `Cut off at any byte a feed gives what came before`() {
    let text = Array(ListingCase.feeds[0].text.utf8)
    for count in 0..<text.count {
      let entries = read(Array(text[..<count])).entries
      #expect(entries == Array(ListingCase.feeds[0].entries.prefix(entries.count)))
    }
  }

  @Test func `Damaged gzip gives what came before`() async throws {
    let urls = (0..<20_000).map { "<url><loc>https://a.example/\($0)</loc></url>" }
    let packed = try await zipped(Array("<urlset>\(urls.joined())</urlset>".utf8))
    let (reply, entries) = read(Array(packed.prefix(packed.count / 2)))
    #expect(reply.listing?.isCut == true)
    #expect((1..<20_000).contains(entries.count))
    #expect(entries.last?.reference == "https://a.example/\(entries.count - 1)")
  }

  /// "Billion laughs": expanded it would be 10^9 times "lol".
  @Test func `Entities of a document's own are never expanded`() {
    let entities = (1..<10).map { level in
      "<!ENTITY l\(level) \"\(String(repeating: "&l\(level - 1);", count: 10))\">"
    }
    let text = """
      <!DOCTYPE rss [<!ENTITY l0 "lol">\(entities.joined())]>
      <rss><channel><item><link>https://a.example/&l9;</link></item>
      <item><guid>&l9;</guid><link>https://a.example/2</link><enclosure url="https://a.example/3?&l9;"/>
      </item></channel></rss>
      """
    let entries = read(Array(text.utf8)).entries
    let expected = ["https://a.example/", "https://a.example/2", "https://a.example/3?"]
    #expect(entries.map(\.reference) == expected)
  }

  @Test func `Nothing outside is read`() throws {
    let folder = try TemporaryDirectory()
    let secret = try folder.write("secret", to: "secret")
    let text = """
      <!DOCTYPE rss SYSTEM "\(secret)" [<!ENTITY x SYSTEM "file://\(secret)"><!ENTITY % p SYSTEM "\(secret)">%p;]>
      <rss><channel><item><link>https://a.example/&x;</link></item></channel></rss>
      """
    #expect(read(Array(text.utf8)).entries.allSatisfy { !$0.reference.contains("secret") })
  }

  @Test func `Deep nesting ends the reading, and what came before counts`() {
    let before = "<rss><channel><item><link>https://a.example/1</link></item>"
    let (reply, entries) = read(Array((before + String(repeating: "<d>", count: 1_000_000)).utf8))
    #expect(entries == [ListingEntry(.page, "https://a.example/1")])
    #expect(reply.listing?.isCut == true)
  }

  @Test func `A sitemap of 50,000 addresses is read whole, one of more to 100,000`() {
    func sitemap(_ count: Int) -> [UInt8] {
      Array("<urlset>".utf8)
        + (0..<count).flatMap { Array("<url><loc>https://a.example/\($0)</loc></url>".utf8) }
    }
    let (reply, entries) = read(sitemap(50_000) + Array("</urlset>".utf8))
    #expect(entries.count == 50_000)
    #expect(reply.listing == Listing(.sitemap, entries: 50_000))
    let more = read(sitemap(100_001))
    #expect(more.entries.count == Listing.mostEntries)
    #expect(more.reply.listing?.isCut == true)
  }

  /// 200 MB of white space in 200 kB of gzip, and an address behind it.
  @Test func `What lies beyond 52 MB of gzip undone is not read`() async throws {
    let folder = try TemporaryDirectory()
    let script = """
      { printf '<urlset><url><loc>https://a.example/1</loc></url>'; head -c 200000000 /dev/zero | tr '\\0' ' ';
      printf '<url><loc>https://a.example/2</loc></url></urlset>'; } | gzip -c > \(folder.path(of: "bomb"))
      """
    #expect(try await Command.tool("sh", ["-c", script]).run().ending == .exited(0))
    let (reply, entries) = read(try folder.read("bomb"))
    #expect(entries == [ListingEntry(.page, "https://a.example/1")])
    #expect(reply.listing?.isCut == true)
  }

  @Test func `An entry's line comes back as it was, and no other does`() {
    for kind in ListingEntry.Kind.allCases {
      let entry = ListingEntry(kind, "https://a.example/é")
      #expect(entry.line.flatMap { ListingEntry(line: $0.dropLast()) } == entry)
    }
    #expect(ListingEntry(.page, "a\nb").line == nil)
    #expect(ListingEntry(.page, "").line == nil)
    #expect(ListingEntry(.page, String(repeating: "a", count: 8193)).line == nil)
    #expect(ListingEntry(line: Array("xhttps://a.example/".utf8)[...]) == nil)
    #expect(ListingEntry(line: [0x70, 0xFF]) == nil)
    #expect(ListingEntry(line: []) == nil)
  }
}
