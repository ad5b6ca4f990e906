import Media
import Pipeline
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15)))
struct PayloadTests {
  static let page = "https://example.org/a"

  @Test(
    "A page's address is read from each form",
    arguments: [
      (#"{"url":"https://example.org/a"}"#, "json"),
      ("\u{FEFF} {\"url\": \" https://example.org/a \"}", nil),
      (
        #"{"NSExtensionJavaScriptPreprocessingResultsKey":{"url":"https://example.org/a"}}"#, "json"
      ),
      (
        #"{"items":[{"type":"public.url","value":"https://other.org/"},"#
          + #"{"type":"com.apple.property-list","value":{"url":"https://example.org/a"}}]}"#, "json"
      ),
      (
        #"{"items":[{"type":"public.url","value":"https://example.org/a"},"#
          + #"{"type":"public.url","value":"https://other.org/"}]}"#, nil
      ),
      (
        #"{"items":[{"type":"com.apple.property-list","value":"#
          + #"{"NSExtensionJavaScriptPreprocessingResultsKey":{"url":"https://example.org/a"}}}]}"#,
        nil
      ),
      ("<plist><dict><key>url</key><string>https://example.org/a</string></dict></plist>", "plist"),
      (
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/p.dtd">
        <plist version="1.0"><dict><key>URL</key>
        <string>https://example.org/a</string></dict></plist>
        """, "webloc"
      ),
      ("[InternetShortcut]\r\nIDList=\r\nurl=https://example.org/a\r\n", "url"),
      ("[Other]\nURL=https://other.org/\n[InternetShortcut]\nURL=https://example.org/a", "URL"),
      ("https://example.org/a", "txt"), ("\u{FEFF}\r\n https://example.org/a \r\n\r\n", "txt"),
      ("https://example.org/a\n", nil),
    ] as [(String, String?)])
  func forms(text: String, fileExtension: String?) throws {
    let payload = try Payload.read(Array(text.utf8), fileExtension: fileExtension)
    #expect(payload.url == Self.page)
    #expect(payload.notes.isEmpty)
  }

  @Test("Text in UTF-16 is an address too")
  func wideText() throws {
    var bytes: [UInt8] = [0xFF, 0xFE]
    for unit in Self.page.utf16 { bytes += [UInt8(unit & 255), UInt8(unit >> 8)] }
    #expect(try Payload.read(bytes, fileExtension: "txt").url == Self.page)
  }

  /// As other programs write it: a byte order mark, then the units in its order.
  private static func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
    "\u{FEFF}\(text)".utf16.flatMap { unit in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 255)]
      return isBigEndian ? bytes : bytes.reversed()
    }
  }

  @Test(
    "A property list in UTF-16 is read, as XML has it", arguments: [false, true],
    [nil, "webloc", "plist"] as [String?])
  func widePropertyList(isBigEndian: Bool, fileExtension: String?) throws {
    let text = """
      <?xml version="1.0" encoding="UTF-16"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/p.dtd">
      <plist version="1.0"><dict><key>URL</key><string>https://example.org/a</string>
      <key>title</key><string>날씨 😀 &amp; Ä</string></dict></plist>
      """
    let bytes = Self.utf16(text, isBigEndian: isBigEndian)
    let payload = try Payload.read(bytes, fileExtension: fileExtension)
    #expect(payload.url == Self.page)
    #expect(payload.title == "날씨 😀 & Ä")
    let json = Self.utf16(#"{"url": "https://example.org/a"}"#, isBigEndian: isBigEndian)
    #expect(try Payload.read(json, fileExtension: "json").url == Self.page)
  }

  @Test(
    "What is no UTF-16 behind the mark is refused", arguments: [[0x3C], [0x00, 0xD8, 0x3C, 0x00]])
  func brokenWideText(tail: [UInt8]) {
    let text = "<plist><dict><key>URL</key><string>https://example.org/a</string></dict></plist>"
    let bytes = Self.utf16(text, isBigEndian: false) + tail
    #expect {
      try Payload.read(bytes, fileExtension: "webloc")
    } throws: { error in
      (error as? Problem)?.code == .unreadablePayload
    }
  }

  @Test(
    "What is no payload is refused as unreadable",
    arguments: [
      "", "null", "[]", "42", "{", "{}", #"{"url":"not a url"}"#, #"{"url":"ftp://x/"}"#,
      #"{"title":" \u0007 "}"#, #"{"imageURL":""}"#, "<plist/>", "<plist><array/></plist>",
      "https://a.org/ https://b.org/", "https://a.org/\nhttps://b.org/", "[InternetShortcut]\n",
      "https://", "bplist00", #"{"drafts":[{"sentence":"s"}]}"#, #"{"url":"https:///"}"#,
    ])
  func refusals(text: String) {
    #expect {
      try Payload.read(Array(text.utf8))
    } throws: { error in
      (error as? Problem)?.code == .unreadablePayload
    }
  }

  @Test("More than 4 MB is refused by its size")
  func tooLarge() {
    let start = Array(#"{"title":""#.utf8)
    let bytes = start + [UInt8](repeating: 0x61, count: 4_000_000) + Array(#""}"#.utf8)
    #expect {
      try Payload.read(bytes)
    } throws: { error in
      (error as? Problem)?.code == .payloadTooLarge
    }
  }

  @Test("A field of a wrong type is dropped with a note and fails nothing")
  func wrongTypes() throws {
    let text = """
      {"title":"T","url":7,"imageURL":["x"],"mediaCompany":{},"id":1,"deadline":"soon",
       "ttlSeconds":"9","imageURLs":"x","media":["m",3],"profiles":false,
       "categoryIdentifier":true,"threadIdentifier":0.5,"altText":[],"drafts":"d","other":1}
      """
    let payload = try Payload.read(Array(text.utf8))
    #expect(payload.notes.allSatisfy { $0.code == .badField && $0.severity == .note })
    let keys = payload.notes.map { $0.message.prefix { $0 != " " } }
    #expect(
      keys.sorted() == [
        "altText", "categoryIdentifier", "deadline", "id", "imageURL", "imageURLs", "media",
        "mediaCompany", "profiles", "threadIdentifier", "ttlSeconds", "url",
      ])
    #expect(payload.media == ["m"])
    #expect(payload.drafts == "d")
    #expect(payload.title == "T")
  }

  @Test("Null is as good as absent")
  func nulls() throws {
    let payload = try Payload.read(Array(#"{"title":"T","url":null,"ttlSeconds":null}"#.utf8))
    #expect(payload.notes.isEmpty)
    #expect(payload.url == nil)
  }

  @Test("Everything that a sender may add is read")
  func senderFields() throws {
    let text = """
      {"title":"T","mediaCompany":"M","imageURL":"//cdn.example.org/p.jpg","id":"a b",
       "deadline":"2026-03-01T10:00:00+01:00","ttlSeconds":12.5,"imageURLs":["1"," 2 "],
       "media":["v"],"profiles":["ipad","10x10"],"categoryIdentifier":"c",
       "threadIdentifier":"t","altText":"alt"}
      """
    let payload = try Payload.read(Array(text.utf8))
    #expect(payload.mediaCompany == "M")
    #expect(payload.imageURL == "//cdn.example.org/p.jpg")
    #expect(payload.id == "a b")
    #expect(payload.deadline?.rfc3339 == "2026-03-01T09:00:00.000Z")
    #expect(payload.ttlSeconds == 12.5)
    #expect(payload.imageURLs == ["1", "2"])
    #expect(payload.media == ["v"])
    #expect(payload.profiles == ["ipad", "10x10"])
    #expect(payload.categoryIdentifier == "c")
    #expect(payload.threadIdentifier == "t")
    #expect(payload.altText == "alt")
    #expect(payload.notes.isEmpty)
  }

  @Test("A sender's keys beside the wrapper count where the page script has none")
  func keysBesideWrapper() throws {
    let text = """
      {"id":"outer","title":"outer","NSExtensionJavaScriptPreprocessingResultsKey":
       {"title":"inner","url":"https://example.org/a"}}
      """
    let payload = try Payload.read(Array(text.utf8))
    #expect(payload.id == "outer")
    #expect(payload.title == "inner")
  }

  @Test("Drafts pass as they came, and the first sentence is the body")
  func drafts() throws {
    let drafts =
      #"[{"id":1.50,"sentence":" ","comments":["c",{"x":null}]},{"z":1,"sentence":"A\n b"},[[]],7]"#
    let payload = try Payload.read(Array(#"{"title":"T","drafts":\#(drafts)}"#.utf8))
    let written = String(decoding: JSONWriter.write(payload.drafts), as: UTF8.self)
    #expect(written == drafts)
    #expect(payload.body == "A b")
  }

  @Test(
    "A page's address is kept as browsers keep it, without name and password",
    arguments: [
      ("http://example.org/a b?c d", "http://example.org/a%20b?c%20d"),
      ("https://user:secret@example.org/story", "https://example.org/story"),
      ("https://a@b@example.org:8443?q=x@y", "https://example.org:8443?q=x@y"),
      ("https://example.org/@writer", "https://example.org/@writer"),
      ("https://example.org/a\\tb", "https://example.org/ab"),
    ])
  func pageAddress(given: String, expected: String) throws {
    let payload = try Payload.read(Array(#"{"url":"\#(given)"}"#.utf8))
    #expect(payload.url == expected)
    #expect(payload.pageAddress == expected)
  }

  @Test("A notification never opens what runs or reads on the device")
  func openableAddresses() throws {
    for address in ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "x"] {
      let payload = try Payload.read(Array(#"{"title":"T","url":"\#(address)"}"#.utf8))
      #expect(payload.url == nil)
      #expect(payload.notes.map(\.code) == [.unsupportedURL])
    }
    let own = try Payload.read(Array(#"{"title":"T","url":"reader+x://open/7"}"#.utf8))
    #expect(own.url == "reader+x://open/7")
    #expect(own.pageAddress == nil)
  }
}
