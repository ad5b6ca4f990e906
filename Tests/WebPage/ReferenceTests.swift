import Media
import TestSupport
import Testing

/// Named character references as browsers read them.
@Suite("Character references", .timeLimit(.minutes(5)))
struct ReferenceTests {
  private func title(_ text: String) -> String? { read("<title>\(text)</title>").facts?.title }

  private func altText(_ attribute: String) -> String? {
    read("<meta property=og:image content=/a.jpg><meta property=og:image:alt content=\(attribute)>")
      .facts?.pictures.first?.altText
  }

  /// Python's table is the standard's.
  @Test func `All names of HTML, with a semicolon and, where they may, without`() async throws {
    let script = """
      import html.entities
      for name, text in html.entities.html5.items(): print(name, *map(ord, text))
      """
    let lines = try await Command.tool("python3", ["-c", script]).run().text.split(separator: "\n")
    #expect(lines.count == 2231)
    for line in lines {
      let words = line.split(separator: " ")
      let scalars = words.dropFirst().compactMap { UInt32($0).flatMap(Unicode.Scalar.init) }
      let (name, text) = (words[0], String(String.UnicodeScalarView(scalars)))
      #expect(title("a&\(name) b") == "a\(text) b", "\(name)")
      #expect(altText("'a&\(name) b'") == "a\(text) b", "\(name)")
    }
  }

  /// Right values: Python's `html.unescape`.
  @Test(arguments: [
    ("&notit; &notin; &not in", "¬it; ∉ ¬ in"), ("AT&T &ampamp; &amp;amp;", "AT&T &amp; &amp;"),
    ("&copy2024 &copyright;", "©2024 ©right;"), ("&nosuch; &; & &x &x;", "&nosuch; &; & &x &x;"),
    ("&LT;b&GT; &ltb&gt;", "<b> <b>"), ("&colon;&comma;&period;&excl;&quest;", ":,.!?"),
    ("&fjlig; &NotEqualTilde;", "fj ≂̸"), ("&CounterClockwiseContourIntegral;", "∳"),
    ("&eacut; &eacute &Eacute;", "&eacut; é É"),
  ])
  func text(written: String, shown: String) {
    #expect(title(written) == shown)
    let page = "<p>\(written)</p><title>\(written)</title><textarea>\(written)</textarea>"
    #expect(read(page).facts?.title == shown)
  }

  @Test(arguments: [
    ("\"a&notit;b\"", "a&notit;b"), ("'&copy=1'", "&copy=1"), ("'x &copy 1'", "x © 1"),
    ("\"&notin; &amp &amp\"", "∉ & &"), ("a&colon;b", "a:b"), ("a&quot;b&gt;c", "a\"b>c"),
    ("a&nbsp;b&Tab;c", "a\u{A0}b\tc"), ("\"&quotation;\"", "&quotation;"),
  ])
  func `A name without its semicolon stays in an attribute where something follows`(
    written: String, shown: String
  ) {
    #expect(altText(written) == shown)
  }

  @Test func `Addresses keep their parameters`() {
    let pictures = read(
      "<meta property=og:image content='/i?a=1&copy=2&section=3&reg=&amp;x=4&not=5&curren'>"
    ).facts?.pictures
    #expect(pictures?.first?.reference == "/i?a=1&copy=2&section=3&reg=&x=4&not=5¤")
  }

  @Test func `Scripts are data, comments are none, and JSON-LD's names want their semicolon`() {
    let page = """
      <!-- <title>&not;</title> --><style>a&not;</style><title>&hellip;</title>
      <script type="application/ld+json">{"@type":"NewsArticle",
      "publisher":{"name":"A &amp B &comma; &copy=C"}}</script>
      """
    let facts = read(page).facts
    #expect(facts?.title == "…")
    #expect(facts?.publisher == "A &amp B , &copy=C")
  }
}
