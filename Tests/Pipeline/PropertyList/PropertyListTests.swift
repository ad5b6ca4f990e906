import Foundation
import Media
import Pipeline
import Testing

@Suite(.timeLimit(.minutes(15)))
struct PropertyListTests {
  static func encode(
    _ value: Any, _ format: PropertyListSerialization.PropertyListFormat
  ) throws -> [UInt8] {
    [UInt8](try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0))
  }

  static func read(_ bytes: [UInt8]) throws -> PropertyListValue {
    BinaryPropertyListReader.recognises(bytes)
      ? try BinaryPropertyListReader.read(bytes) : try XMLPropertyListReader.read(bytes)
  }

  @Test(
    "Foundation's property lists are read in both forms",
    arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
  func foundation(format: PropertyListSerialization.PropertyListFormat) throws {
    let values: [(Any, JSONValue)] = [
      ("plain <&> \"text\"", "plain <&> \"text\""), ("한글 😀", "한글 😀"), ("", ""),
      (true, true), (false, false), (0, 0), (-1, -1), (300, 300), (70_000, 70_000),
      (Int.max, JSONValue(Int.max)), (Int.min, JSONValue(Int.min)), (1.5, JSONValue(1.5)),
      (Data([0, 1, 2, 255]), "AAEC/w=="), (Data(), ""),
      (Date(timeIntervalSince1970: 1_772_352_309), "2026-03-01T08:05:09.000Z"),
      ([1, "a", [Any]()] as [Any], [1, "a", []]),
      (Array(repeating: "x", count: 300), .array(Array(repeating: "x", count: 300))),
      (["k": ["n": 1]], ["k": ["n": 1]]),
    ]
    for (value, expected) in values {
      #expect(try Self.read(try Self.encode(value, format)).json == expected)
    }
  }

  /// `levels` arrays of `width` references each to the next one: 16^6 values in 163 bytes.
  static func bomb(levels: Int, width: Int) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for level in 0..<levels {
      offsets.append(UInt8(bytes.count))
      bytes += [0xAF, 0x10, UInt8(width)]
      bytes += [UInt8](repeating: UInt8(level + 1), count: width)
    }
    offsets.append(UInt8(bytes.count))
    bytes += [0x51, 0x61]
    let table = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [levels + 1, 0, table] {
      bytes += (0..<8).reversed().map { UInt8(number >> ($0 * 8) & 255) }
    }
    return bytes
  }

  @Test("Shared references cost no more than their budget")
  func bombs() throws {
    let bomb = Self.bomb(levels: 6, width: 16)
    #expect(bomb.count == 163)
    #expect(throws: PropertyListFailure.self) { try BinaryPropertyListReader.read(bomb) }
    #expect(throws: PropertyListFailure.self) {
      try BinaryPropertyListReader.read(Self.bomb(levels: 8, width: 16))
    }
    let small = try BinaryPropertyListReader.read(Self.bomb(levels: 2, width: 16))
    #expect(small.json.array?.count == 16)
    #expect(small.json.array?.last?.array == Array(repeating: "a", count: 16))
  }

  @Test("Large shared texts cost no more than their budget")
  func textBomb() throws {
    // An array of 5000 references of two bytes to one text of 100,000.
    var bytes = Array("bplist00".utf8) + [0xAF, 0x11, 0x13, 0x88]
    for _ in 0..<5000 { bytes += [0, 1] }
    let text = bytes.count
    bytes += [0x5F, 0x12, 0x00, 0x01, 0x86, 0xA0] + [UInt8](repeating: 0x78, count: 100_000)
    let table = bytes.count
    for offset in [8, text] {
      bytes += [UInt8(offset >> 16), UInt8(offset >> 8 & 255), UInt8(offset & 255)]
    }
    bytes += [0, 0, 0, 0, 0, 0, 3, 2]
    for number in [2, 0, table] {
      bytes += (0..<8).reversed().map { UInt8(number >> ($0 * 8) & 255) }
    }
    #expect(throws: PropertyListFailure.self) { try BinaryPropertyListReader.read(bytes) }
  }

  @Test("A list without shared containers is read however many references it has")
  func manyDrafts() throws {
    let draft = { (number: Int) -> [String: Any] in
      [
        "id": number, "sentence": "s\(number)", "type": "t\(number)", "comments": "c\(number)",
        "url": "u\(number)", "isDraft": true,
      ]
    }
    let bytes = try Self.encode(["title": "T", "drafts": (0..<5000).map(draft)], .binary)
    let payload = try Payload.read(bytes)
    #expect(payload.drafts.array?.count == 5000)
    #expect(payload.body == "s0")
  }

  @Test("What contains itself is refused")
  func cycles() {
    var bytes = Self.bomb(levels: 1, width: 2)
    bytes[11] = 0
    #expect(throws: PropertyListFailure.self) { try BinaryPropertyListReader.read(bytes) }
  }

  @Test("Depth is bounded in both forms")
  func depth() throws {
    var nested: Any = "x"
    for _ in 0..<200 { nested = [nested] }
    for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
      let bytes = try Self.encode(nested, format)
      #expect(throws: PropertyListFailure.self) { try Self.read(bytes) }
    }
    let unclosed = Array(String(repeating: "<array>", count: 1_000_000).utf8)
    #expect(throws: PropertyListFailure.self) { try XMLPropertyListReader.read(unclosed) }
  }

  @Test("Every truncation of a list is refused or read, never a crash")
  func truncation() throws {
    let value: [String: Any] = ["title": "T한", "drafts": [["id": 1, "d": Data([1])]], "n": 1.5]
    for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
      let bytes = try Self.encode(value, format)
      for length in 0..<bytes.count { _ = try? Self.read(Array(bytes[..<length])) }
    }
  }

  @Test(
    "XML in its variants is read",
    arguments: [
      ("<string>a<!-- c -->b</string>", "ab"), ("<string><![CDATA[<&]]></string>", "<&"),
      ("<string>&#x48;&#105;&lt;</string>", "Hi<"), ("\u{FEFF}<string/>", ""),
      ("<?xml version='1.0'?><!-- x --><plist version='1.0'><string a='>'>x</string></plist>", "x"),
      ("<integer> 0x1F </integer>", 31), ("<integer>-7</integer>", -7), ("<null/>", nil),
      ("<true></true>", true), ("<data> AA EC\n/w== </data>", "AAEC/w=="),
    ] as [(String, JSONValue)])
  func xml(text: String, expected: JSONValue) throws {
    #expect(try XMLPropertyListReader.read(Array(text.utf8)).json == expected)
  }

  @Test("XML in another encoding than UTF-8 is refused, not read with losses")
  func otherEncodings() throws {
    let text = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><string>\u{FC}</string>"
    let latin = try #require(text.data(using: .isoLatin1))
    #expect(throws: PropertyListFailure.self) { try XMLPropertyListReader.read([UInt8](latin)) }
    #expect(try XMLPropertyListReader.read(Array(text.utf8)).json == "\u{FC}")
  }

  @Test(
    "XML that is none, or does more than property lists do, is refused",
    arguments: [
      "", "<", "<string>", "<string>x", "<string>a</array>", "<x/>", "<array><key>a</key></array>",
      "<dict><string>a</string></dict>", "<dict><key>a</key></dict>", "<string>&bomb;</string>",
      "<!DOCTYPE plist [<!ENTITY a \"b\">]><string>&a;</string>", "<integer>x</integer>",
      "<data>A</data>", "<date>soon</date>", "<string/><string/>", "text", "<true>", "</string>",
      "<string>&#xD800;</string>", "<real>x</real>",
    ])
  func refusals(text: String) {
    #expect(throws: PropertyListFailure.self) { try XMLPropertyListReader.read(Array(text.utf8)) }
  }
}
