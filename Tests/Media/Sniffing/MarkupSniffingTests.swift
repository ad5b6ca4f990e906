import Media
import Testing

@Suite struct MarkupSniffingTests {
  static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  static func utf16(_ text: String, littleEndian: Bool, mark: Bool = true) -> [UInt8] {
    ((mark ? "\u{FEFF}" : "") + text).utf16.flatMap { unit in
      let (high, low) = (UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit))
      return littleEndian ? [low, high] : [high, low]
    }
  }

  static let heads = [
    Head("document type", .html, "<!DOCTYPE html><html>"),
    Head(
      "document type in any case", .html, "<!doctype HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">"),
    Head("white space first", .html, " \t\r\n\u{0C}<HTML lang=en>"),
    Head("byte order mark first", .html, mark, "<html>"),
    Head("UTF-16, little-endian", .html, utf16("<!DOCTYPE html>", littleEndian: true)),
    Head("UTF-16, big-endian", .html, utf16("<html>", littleEndian: false)),
    Head("UTF-16 without a mark", .html, utf16("<html>", littleEndian: true, mark: false)),
    Head("comment first", .html, "<!-- saved page --> some text"),
    Head("comment without an end", .html, "<!-- a very long comment"),
    Head("fragment", .html, "<p>Not found</p>"),
    Head("script", .html, "<script\ntype=x>"),
    Head("XHTML", .html, "<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\">"),
    Head("tag without an end", .unknown, "<html"),
    Head("tag that only begins like one", .unknown, "<bogus>"),
    Head("paragraph tag that only begins like one", .unknown, "<pfoo>"),
    Head("tag in the midst of text", .unknown, "see <html> for more"),
    Head("feed", .unknown, "<?xml version=\"1.0\"?><rss version=\"2.0\">"),
    Head(
      "property list", .unknown, "<?xml version=\"1.0\"?>",
      "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"x\"><plist>"),
    Head("feed with a title", .unknown, "<?xml version=\"1.0\"?><title>"),
    Head("SVG", .svg, "<svg xmlns=\"http://www.w3.org/2000/svg\">"),
    Head("SVG after a mark", .svg, mark, "<svg>"),
    Head(
      "SVG after prolog, comment and blank lines", .svg,
      "<?xml version=\"1.0\"?>\n<!-- drawn -->\n\n<?xml-stylesheet href='a'?>\n<svg\n width='1'>"),
    Head("SVG after a comment alone", .svg, "<!-- drawn --><svg/>"),
    Head(
      "SVG by document type", .svg,
      "<?xml version=\"1.0\"?><!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"x\">"),
    Head(
      "SVG after an internal subset", .svg,
      "<!DOCTYPE drawing [ <!ENTITY a \"b\"> <!ENTITY c \"]\"> ]><svg>"),
    Head("SVG with a prefix", .svg, "<?xml version=\"1.0\"?><ns0:svg xmlns:ns0='x'>"),
    Head("SVG in UTF-16", .svg, utf16("<?xml version='1.0'?><svg>", littleEndian: true)),
    Head("svgfoo", .unknown, "<svgfoo>"),
    Head("JSON", .unknown, "{\"error\": \"<html>\"}"),
  ]

  @Test("Text is known by its first element", arguments: heads)
  func markup(head: Head) {
    #expect(MediaFormat.sniff(head.bytes) == head.format)
  }

  @Test("Any prefix is sniffed", arguments: heads)
  func prefixes(head: Head) {
    for length in 0..<head.bytes.count { _ = MediaFormat.sniff(Array(head.bytes.prefix(length))) }
  }
}
