import Download
import Testing

@Suite("Pictures inside an address", .timeLimit(.minutes(15)))
struct DataURLTests {
  // RFC 4648 §10's vectors among them.
  @Test(
    "Both forms give their bytes",
    arguments: [
      ("data:,", ""), ("data:,A%20brief%20note", "A brief note"), ("DATA:,x", "x"),
      ("  data:,x", "x"), ("data:text/plain;charset=utf-8,%C3%A9", "é"),
      ("data:;base64,", ""), ("data:;base64,Zg==", "f"), ("data:;base64,Zm8=", "fo"),
      ("data:;base64,Zm9v", "foo"), ("data:;base64,Zm9vYg==", "foob"),
      ("data:;base64,Zm9vYmE=", "fooba"), ("data:;base64,Zm9vYmFy", "foobar"),
      ("data:image/png;base64,Zm9vYmFy", "foobar"), ("data:image/png;BASE64,Zm9vYmFy", "foobar"),
      ("data:image/png; base64 ,Zm9vYmFy", "foobar"), ("data:;base64,Zg", "f"),
      ("data:;base64,Zm8", "fo"), ("data:;base64,Zm9v\n YmFy", "foobar"),
      ("data:;base64,Zm9v%59mFy", "foobar"), ("data:;base64,Zm9vYmFy#x", "foobar"),
      ("data:;base64,Pz8_Pj4-", "???>>>"), ("data:;base64,Pz8/Pj4+", "???>>>"),
      ("data:base64,Zg==", "Zg=="), ("data:,100%", "100%"), ("data:,%zz", "%zz"),
      ("data:,a%2", "a%2"), ("data:,%%41", "%A"), ("data:,a,b", "a,b"),
    ])
  func accepted(_ text: String, _ bytes: String) throws {
    #expect(DataURL.isOne(text))
    #expect(try DataURL(text, limit: 100).bytes == Array(bytes.utf8))
  }

  @Test(
    "Anything else is malformed",
    arguments: [
      "data:", "data:image/png;base64", "data:;base64,Z", "data:;base64,Zg=", "data:;base64,Z===",
      "data:;base64,Zg==Zg==", "data:;base64,Z*==", "data:;base64,Zm9v\u{e9}",
    ])
  func malformed(_ text: String) {
    #expect(throws: DataURL.Failure.malformed) { try DataURL(text, limit: 100) }
  }

  @Test("Another scheme is not one")
  func scheme() {
    for text in ["", "dat:,x", "http://a.example/data:,x", "x data:,x"] {
      #expect(!DataURL.isOne(text))
      #expect(throws: DataURL.Failure.notDataURL) { try DataURL(text, limit: 100) }
    }
  }

  @Test("The size is bounded, before decoding where the text alone tells")
  func limit() throws {
    let tooLarge = DataURL.Failure.tooLarge(limit: 3)
    #expect(try DataURL("data:,abc", limit: 3).bytes.count == 3)
    #expect(throws: tooLarge) { try DataURL("data:,abcd", limit: 3) }
    #expect(throws: tooLarge) { try DataURL("data:;base64,Zm9vYg==", limit: 3) }
    let long = "data:;base64," + String(repeating: "A", count: 1_000_000)
    #expect(throws: tooLarge) { try DataURL(long, limit: 3) }
  }
}
