import Media
import Testing

@Suite(.timeLimit(.minutes(15)))
struct JSONReaderTests {
  @Test(
    "Documents are written again as they were, white space aside",
    arguments: [
      #"{"b":1,"a":[true,false,null],"b":2}"#, #"[1.50,-0,1e+20,123456789012345678901234567890]"#,
      #""a\"b\\c\nd\u0001é한👩‍👩‍👧""#, "[]", "{}", #"[[],{},[{}]]"#, #""/""#, "0",
    ])
  func roundTrip(text: String) throws {
    let value = try JSONReader.read(Array(text.utf8))
    #expect(String(decoding: JSONWriter.write(value), as: UTF8.self) == text)
    let pretty = JSONWriter.write(value, pretty: true)
    #expect(try JSONReader.read(pretty) == value)
  }

  @Test(
    "Escapes become their characters",
    arguments: [
      (#""\u0041\/\b\f\r\t""#, "A/\u{8}\u{C}\r\t"), (#""\ud83d\ude00""#, "😀"),
      (#""\ud83dx""#, "\u{FFFD}x"), (#""\ude00""#, "\u{FFFD}"), (#""\ud83d\u0041""#, "\u{FFFD}A"),
    ])
  func escapes(text: String, expected: String) throws {
    #expect(try JSONReader.read(Array(text.utf8)) == .string(expected))
  }

  @Test(
    "What is no JSON is refused with its place",
    arguments: [
      ("", 1, 1), ("{", 1, 2), ("[1,]", 1, 4), ("{\"a\" 1}", 1, 6), ("\n  tru", 2, 3),
      ("01", 1, 2), ("1.", 1, 3), ("-", 1, 2), ("\"a", 1, 3), ("\"a\nb\"", 1, 3), ("[] x", 1, 4),
      ("\"\\x\"", 1, 3), ("nul", 1, 1), ("{a:1}", 1, 2), ("'a'", 1, 1), ("\"\\u12\"", 1, 6),
    ])
  func refusals(text: String, line: Int, column: Int) {
    #expect {
      try JSONReader.read(Array(text.utf8))
    } throws: { error in
      guard let failure = error as? JSONFailure else { return false }
      return failure.line == line && failure.column == column
    }
  }

  @Test("A byte order mark is passed over and bytes that are no UTF-8 are replaced")
  func encoding() throws {
    let bytes: [UInt8] = [0xEF, 0xBB, 0xBF, 0x22, 0x61, 0xFF, 0x22]
    #expect(try JSONReader.read(bytes) == .string("a\u{FFFD}"))
  }

  @Test("Depth and number of values are bounded")
  func bounds() throws {
    let nested = { (depth: Int) in
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    #expect(throws: Never.self) { try JSONReader.read(nested(129)) }
    #expect(throws: JSONFailure.self) { try JSONReader.read(nested(130)) }
    #expect(throws: JSONFailure.self) { try JSONReader.read(nested(1_000_000)) }
    let many = Array("[\(Array(repeating: "1", count: 500_000).joined(separator: ","))]".utf8)
    #expect(throws: JSONFailure.self) { try JSONReader.read(many) }
  }

  @Test("Numbers are read as whole numbers and doubles without losing digits")
  func numbers() throws {
    let value = try JSONReader.read(Array("[3, 3.0, 3.5, 1e400, 9007199254740993]".utf8))
    let numbers = try #require(value.array)
    #expect(numbers.map(\.int) == [3, 3, nil, nil, 9_007_199_254_740_993])
    #expect(numbers.map(\.double) == [3, 3, 3.5, nil, 9_007_199_254_740_992])
    #expect(JSONValue(2.0) == 2)
    #expect(JSONValue(Double.nan) == .null)
  }

  @Test("The last of repeated names is read")
  func repeatedNames() throws {
    let value = try JSONReader.read(Array(#"{"a":1,"a":2}"#.utf8))
    #expect(value.object?["a"] == 2)
    #expect(value.object?["b"] == nil)
  }
}
