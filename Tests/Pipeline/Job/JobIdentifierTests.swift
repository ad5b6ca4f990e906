import Pipeline
import Testing

@Suite
struct JobIdentifierTests {
  @Test(
    "Ids become names that stay in their directory",
    arguments: [
      ("article-7_b.1", "article-7_b.1"), (".", "%2E"), ("..", "%2E."), (".hidden", "%2Ehidden"),
      ("a/../b", "a%2F..%2Fb"), ("/", "%2F"), ("a b%", "a%20b%25"), ("é", "%C3%A9"),
      ("\u{0}\n", "%00%0A"), ("-", "-"), ("~", "%7E"),
    ])
  func encoding(id: String, expected: String) {
    #expect(JobIdentifier(id)?.text == expected)
  }

  @Test("An empty id is none")
  func empty() {
    #expect(JobIdentifier("") == nil)
  }

  // The digits are by sha256sum.
  @Test("Long ids become their first 80 bytes and a hash")
  func long() throws {
    let plain = String(repeating: "a", count: 120)
    #expect(JobIdentifier(plain)?.text == plain)
    let longer = String(repeating: "a", count: 121)
    let identifier = try #require(JobIdentifier(longer))
    #expect(
      identifier.text
        == String(repeating: "a", count: 80) + "-e9615320128cc7a3d6078e9af0560318")
    let emoji = try #require(JobIdentifier(String(repeating: "😀", count: 500)))
    #expect(emoji.text.utf8.count == 113)
    #expect(emoji.text.hasPrefix("%F0%9F%98%80"))
    #expect(emoji != JobIdentifier(String(repeating: "😀", count: 501)))
  }

  @Test("Only names of outbox folders are taken as encoded")
  func encoded() {
    #expect(JobIdentifier(encoded: "a%20b")?.text == "a%20b")
    for text in ["", ".a", "..", "a/b", "a b", String(repeating: "a", count: 121)] {
      #expect(JobIdentifier(encoded: text) == nil)
    }
  }

  @Test("Names of active jobs are read again as they were written")
  func activeNames() throws {
    let long = String(repeating: "l", count: 240) + ".json"
    for text in ["a.json", "a.b.c.plist", "~x.url", long] {
      let name = try #require(PayloadFileName(text))
      var active = try #require(
        ActiveName(claiming: name, delivered: 12, arrival: Timestamp(milliseconds: 34)))
      #expect(active.text.utf8.count <= 255)
      #expect(ActiveName(active.text) == active)
      #expect(active.fallbackIdentifier == JobIdentifier(name.stem))
      active.attempt = 3
      active.publication = .init(token: "0123456789abcdef", inode: .max)
      #expect(active.text.utf8.count <= 255)
      #expect(ActiveName(active.text) == active)
    }
  }

  @Test("Other names are no active jobs")
  func foreignNames() {
    for text in [
      "a.json", "1.2.3.json", "1.2.3.0.a.exe", "1.2.-3.0.a.json", "1.2.3.xyz.a.json",
      "1.2.3.0..json", "x.2.3.0.a.json", "",
    ] {
      #expect(ActiveName(text) == nil, "\(text)")
    }
  }
}
