import Pipeline
import Testing

@Suite(.timeLimit(.minutes(15)))
struct NotificationTextTests {
  @Test(
    "Texts are cleaned",
    arguments: [
      ("  a \n\t b\u{A0}\u{2028}c ", "a b c"), ("a\u{7}b\u{0}\u{9F}c", "abc"),
      ("e\u{301}", "\u{E9}"), ("\u{1112}\u{1161}\u{11AB}", "한"), ("&amp;", "&amp;"),
      ("a\u{202E}b", "ab"), ("a \u{202E} b", "a b"), ("\u{202E} a", "a"),
      ("\u{202B}a\u{202C}", "\u{202B}a\u{202C}"),
      ("a\u{202C}b\u{2069}", "ab"),
      ("\u{2067}a\u{202E}b\u{2069}c", "\u{2067}ab\u{2069}c"),
      ("\u{202E}a\u{2066}b\u{202C}c\u{2069}\u{202C}", "\u{202E}a\u{2066}bc\u{2069}\u{202C}"),
      ("👩‍👩‍👧 \u{FEFF}x", "👩‍👩‍👧 x"), ("\u{200F}א", "\u{200F}א"),
    ])
  func cleaning(text: String, expected: String) throws {
    let clean = try #require(NotificationText.clean(text, limit: 100))
    #expect(Array(clean.unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test("Nothing but space and control characters is no text")
  func nothing() {
    #expect(NotificationText.clean(" \n\u{7}\u{202E} ", limit: 100) == nil)
    #expect(NotificationText.clean("", limit: 100) == nil)
  }

  @Test("Long text is cut before a grapheme cluster, with an ellipsis")
  func cutting() throws {
    let family = "👩‍👩‍👧"
    let text = String(repeating: family, count: 10)
    for limit in 4..<(text.utf8.count) {
      let cut = try #require(NotificationText.clean(text, limit: limit))
      #expect(cut.utf8.count <= limit)
      #expect(cut.last == "…")
      let kept = cut.dropLast()
      if limit >= family.utf8.count + 3 { #expect(kept.allSatisfy { String($0) == family }) }
    }
    #expect(NotificationText.clean(text, limit: text.utf8.count) == text)
    #expect(NotificationText.clean("abcdef ghi", limit: 10) == "abcdef ghi")
    #expect(NotificationText.clean("abcde fghij", limit: 9) == "abcde…")
  }

  @Test("One cluster of a million marks is cut, and long text costs little")
  func hostile() throws {
    let marks = "a" + String(repeating: "\u{301}", count: 1_000_000)
    #expect(try #require(NotificationText.clean(marks, limit: 1000)).utf8.count <= 1000)
    let turns = String(repeating: "\u{202E}\u{2066}", count: 1_000_000) + "a"
    #expect((NotificationText.clean(turns, limit: 1000)?.utf8.count ?? 0) <= 1000)
    let spaces = String(repeating: " ", count: 3_000_000) + "a"
    #expect(NotificationText.clean(spaces, limit: 10) == "a")
  }
}
