import Media
import Pipeline
import Testing

@Suite(.timeLimit(.minutes(15)))
struct PushPayloadTests {
  static func manifest(_ change: (inout Manifest.Notification) -> Void, media: Int = 0) -> Manifest
  {
    var notification = Manifest.Notification()
    change(&notification)
    let now = Timestamp(milliseconds: 0)
    var manifest = Manifest(
      id: "x", status: .complete, notification: notification,
      timing: .init(arrived: now, deadline: now, finished: now))
    manifest.attachments = [
      .init(
        identifier: "image", kind: .image, rung: .full, source: .init(url: nil),
        renditions: (0..<media).map { number in
          var rendition = Manifest.Rendition(
            profile: "iphone", role: .picture, format: .jpeg, bytes: 1,
            sha256: String(repeating: "a", count: 64))
          rendition.objectURL = "https://cdn.example.org/objects/\(number).jpg"
          rendition.size = PixelSize(width: 10, height: 20)
          return rendition
        })
    ]
    return manifest
  }

  @Test("The payload is APNs', without keys that do not apply")
  func form() {
    let manifest = Self.manifest(
      {
        $0.title = "T"
        $0.body = "B"
        $0.url = "https://example.org/"
        $0.threadIdentifier = "t"
      }, media: 1)
    let fitted = PushPayload(manifest).fitted()
    #expect(
      String(decoding: fitted.bytes, as: UTF8.self)
        == #"{"aps":{"alert":{"title":"T","body":"B"},"mutable-content":1,"thread-id":"t"},"#
        + #""media":[{"url":"https://cdn.example.org/objects/0.jpg","type":"public.jpeg","sha256":""#
        + String(repeating: "a", count: 64)
        + #"","width":10,"height":20}],"url":"https://example.org/","id":"x"}"#)
    #expect(fitted.notes.isEmpty)
  }

  @Test("The body is cut first, and the rest stays")
  func longBody() throws {
    let family = "👩‍👩‍👧"
    let manifest = Self.manifest {
      $0.title = "Title"
      $0.subtitle = "Subtitle"
      $0.body = String(repeating: family, count: 225)
      $0.url = "https://example.org/"
    }
    let fitted = PushPayload(manifest).fitted()
    #expect(fitted.bytes.count <= 4096)
    #expect(fitted.bytes.count > 4096 - 30)
    let alert = try Self.alert(fitted.bytes)
    #expect(alert["title"] == "Title")
    #expect(alert["subtitle"] == "Subtitle")
    let body = try #require(alert["body"]?.string)
    #expect(body.last == "…")
    #expect(body.dropLast().allSatisfy { String($0) == family })
    #expect(fitted.notes.isEmpty)
  }

  static func alert(_ bytes: [UInt8]) throws -> JSONObject {
    let aps = try JSONReader.read(bytes).object?["aps"]?.object
    return try #require(aps?["alert"]?.object)
  }

  @Test("A cut leaves no bidirectional mark open", arguments: ["\u{2066}", "\u{202E}"])
  func balancedCut(opening: String) throws {
    let closing = opening == "\u{2066}" ? "\u{2069}" : "\u{202C}"
    let manifest = Self.manifest {
      $0.body = "x " + opening + String(repeating: "한", count: 1300) + closing + " end"
      $0.title = String(repeating: "é", count: 500)
    }
    let bytes = PushPayload(manifest).fitted().bytes
    #expect(bytes.count <= PushPayload.mostBytes)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("한…"))
    #expect(!text.contains(opening))
  }

  @Test("An endless address goes before the text does, with a note")
  func longAddress() throws {
    let manifest = Self.manifest {
      $0.title = "Title"
      $0.body = "Body"
      $0.url = "https://example.org/" + String(repeating: "a", count: 100_000)
    }
    let fitted = PushPayload(manifest).fitted()
    #expect(fitted.bytes.count <= 4096)
    #expect(try Self.alert(fitted.bytes)["body"] == "Body")
    #expect(fitted.notes.map(\.code) == [.byteBudget])
    #expect(try JSONReader.read(fitted.bytes).object?["url"] == .null)
  }

  @Test("Any mixture of sizes fits and is JSON", arguments: 0..<200)
  func anySizes(seed: Int) throws {
    var random = SplitMix64(state: UInt64(seed))
    let pieces = ["a", "\"", "\\", "한", "👩‍👩‍👧", "e\u{301}\u{302}\u{303}"]
    func text(_ most: Int, using random: inout SplitMix64) -> String {
      let piece = pieces.randomElement(using: &random) ?? "a"
      return String(repeating: piece, count: Int.random(in: 0...most, using: &random))
    }
    let manifest = Self.manifest(
      {
        $0.title = text(1000, using: &random)
        $0.subtitle = text(500, using: &random)
        $0.body = text(4000, using: &random)
        $0.url = text(5000, using: &random)
        $0.categoryIdentifier = text(250, using: &random)
        $0.threadIdentifier = text(250, using: &random)
      }, media: Int.random(in: 0...20, using: &random))
    let fitted = PushPayload(manifest).fitted()
    #expect(fitted.bytes.count <= 4096)
    #expect(try JSONReader.read(fitted.bytes).object?["id"] == "x")
  }
}
