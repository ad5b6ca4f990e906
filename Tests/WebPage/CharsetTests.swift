import Media
import Testing
import WebPage

/// Bytes by the WHATWG indexes, written out by hand.
@Suite(.timeLimit(.minutes(15)))
struct CharsetTests {
  private func page(_ title: [UInt8], meta: String = "") -> [UInt8] {
    Array("<html><head>\(meta)<title>".utf8) + title + Array("</title></head></html>".utf8)
  }

  @Test(
    "A title is read in the charset of the Content-Type field",
    arguments: [
      ("utf-8", [0xEA, 0xB0, 0x80], "가"), ("UTF8", [0xEA, 0xB0, 0x80], "가"),
      ("euc-kr", [0xB0, 0xA1], "가"), ("ks_c_5601-1987", [0xB0, 0xA1], "가"),
      // A syllable that only UHC has.
      ("windows-949", [0x81, 0x41], "갂"), ("korean", [0xB0, 0xA1], "가"),
      ("shift_jis", [0x82, 0xA0], "あ"), ("x-sjis", [0x87, 0x40], "①"),
      ("shift_jis", [0x5C], "\\"), ("euc-jp", [0xA4, 0xA2], "あ"), ("euc-jp", [0xAD, 0xA1], "①"),
      ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x24, 0x22, 0x1B, 0x28, 0x42], "あ"),
      ("gb2312", [0xB0, 0xA1], "啊"), ("gbk", [0x81, 0x40], "丂"),
      ("gb18030", [0x81, 0x30, 0x84, 0x36], "¥"), ("big5", [0xA4, 0xA4], "中"),
      ("windows-1250", [0xE8], "č"), ("windows-1251", [0xDF], "Я"), ("iso-8859-1", [0x80], "€"),
      ("latin1", [0xE9], "é"), ("us-ascii", [0x93], "“"), ("windows-1253", [0xE1], "α"),
      ("iso-8859-9", [0xF0], "ğ"), ("windows-1255", [0xE0], "א"), ("windows-1256", [0xC7], "ا"),
      ("windows-1257", [0xE0], "ą"), ("windows-1258", [0xF5], "ơ"), ("koi8-r", [0xC1], "а"),
      ("koi8-u", [0xA4], "є"), ("ibm866", [0x80], "А"), ("iso-8859-2", [0xB1], "ą"),
      ("iso-8859-3", [0xB1], "ħ"), ("iso-8859-4", [0xA2], "ĸ"), ("iso-8859-5", [0xB0], "А"),
      ("iso-8859-6", [0xC7], "ا"), ("iso-8859-7", [0xE1], "α"), ("iso-8859-8", [0xE0], "א"),
      ("iso-8859-10", [0xA1], "Ą"), ("iso-8859-13", [0xE0], "ą"), ("iso-8859-14", [0xA1], "Ḃ"),
      ("iso-8859-15", [0xA4], "€"), ("iso-8859-16", [0xA1], "Ą"), ("macintosh", [0x80], "Ä"),
      ("x-mac-cyrillic", [0x80], "А"), ("windows-874", [0xA1], "ก"),
    ] as [(String, [UInt8], String)])
  func labels(label: String, bytes: [UInt8], expected: String) {
    let reply = read(page(bytes), contentType: "text/html; charset=\"\(label)\"")
    #expect(reply.facts?.title == expected)
    #expect(reply.problems == [])
  }

  @Test(
    "The page's own declaration counts where the answer has none",
    arguments: [
      "<meta charset=euc-kr>", "<META CHARSET='EUC-KR'>",
      "<!-- <meta charset=big5> -->"
        + "<meta charset=\"euc-kr\">",
      "<meta http-equiv=Content-Type content=\"text/html; charset=euc-kr\">",
      "<meta content='text/html;charset = ks_c_5601-1987' http-equiv='content-type'>",
    ])
  func declarations(meta: String) {
    #expect(read(page([0xB0, 0xA1], meta: meta)).facts?.title == "가")
  }

  @Test func `The answer's charset goes before the page's`() {
    let bytes = page([0xB0, 0xA1], meta: "<meta charset=gb2312>")
    #expect(read(bytes, contentType: "text/html; charset=euc-kr").facts?.title == "가")
  }

  @Test func `A byte order mark goes before every declaration`() {
    let bytes = [0xEF, 0xBB, 0xBF] + page([0xEA, 0xB0, 0x80], meta: "<meta charset=euc-kr>")
    #expect(read(bytes, contentType: "text/html; charset=shift_jis").facts?.title == "가")
  }

  @Test func `An XML declaration names the charset of a page`() {
    let bytes = Array("<?xml version=\"1.0\" encoding=\"EUC-KR\"?>".utf8) + page([0xB0, 0xA1])
    #expect(read(bytes).facts?.title == "가")
  }

  @Test(arguments: [false, true])
  func `UTF-16 is told by its mark, and without one by its zeros`(hasMark: Bool) {
    for isBig in [false, true] {
      let text = (hasMark ? "\u{FEFF}" : "") + "<html><title>가나</title>"
      let bytes = text.utf16.flatMap { unit -> [UInt8] in
        let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
        return isBig ? [high, low] : [low, high]
      }
      #expect(read(bytes).facts?.title == "가나")
    }
  }

  @Test func `A page that calls itself UTF-16 in ASCII is UTF-8`() {
    let bytes = page([0xEA, 0xB0, 0x80], meta: "<meta charset=utf-16>")
    #expect(read(bytes).facts?.title == "가")
  }

  @Test func `Without any declaration UTF-8 is tried, then windows-1252`() {
    #expect(read(page([0xEA, 0xB0, 0x80])).facts?.title == "가")
    #expect(read(page([0x93, 0xE9, 0x94])).facts?.title == "“é”")
  }

  @Test func `An unknown label gives a note and the page is read all the same`() {
    let reply = read(page([0xC3, 0xA9]), contentType: "text/html; charset=klingon-1")
    #expect(reply.facts?.title == "é")
    #expect(reply.problems.map(\.code) == [.unsupportedCharset])
    #expect(reply.problems.map(\.severity) == [.note])
    #expect(read(page([0xE9]), contentType: "text/html; charset=utf-7").facts?.title == "é")
  }

  @Test func `An unknown label in the answer leaves the page's own in force`() {
    let bytes = page([0xB0, 0xA1], meta: "<meta charset=euc-kr>")
    #expect(read(bytes, contentType: "text/html; charset=none").facts?.title == "가")
  }

  @Test func `Bytes without meaning become replacement characters`() {
    // 0xFF leads nothing in EUC-KR, and the ASCII after a lone lead byte stays.
    let korean = read(
      page([0xB0, 0xA1, 0xFF, 0xB0, 0x21]), contentType: "text/html;charset=euc-kr")
    #expect(korean.facts?.title == "가\u{FFFD}\u{FFFD}!")
    let utf8 = read(page([0x61, 0xC3, 0x28, 0x62]), contentType: "text/html; charset=utf-8")
    #expect(utf8.facts?.title == "a\u{FFFD}(b")
  }

  @Test func `A character that the end cuts does not make the page another charset's`() {
    let bytes = page([0xEA, 0xB0, 0x80]) + [0xEA, 0xB0]
    #expect(read(bytes).facts?.title == "가")
  }
}
