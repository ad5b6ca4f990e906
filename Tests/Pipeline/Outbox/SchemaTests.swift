import Foundation
import Media
import Pipeline
import TestSupport
import Testing

/// Checks JSON against the schemas that ship, with somebody else's validator.
@Suite(.timeLimit(.minutes(15)))
struct SchemaTests {
  /// Each line of input is one document; each line of output says `ok` or what is wrong.
  static let script = """
    import json, sys
    from jsonschema import Draft202012Validator
    schema = json.load(open(sys.argv[1]))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for line in sys.stdin:
        errors = [e.message for e in validator.iter_errors(json.loads(line))]
        print("ok" if not errors else "; ".join(errors)[:300].replace("\\n", " "))
    """

  /// What the validator says of each document; nil where there is no validator.
  static func verdicts(_ schema: String, _ documents: [String]) async throws -> [Substring]? {
    let available = try await Command("/usr/bin/python3", ["-c", "import jsonschema"]).run()
    guard available.ending == .exited(0) else {
      print("skipped: python3-jsonschema is not installed")
      return nil
    }
    let path = Project.path("Packaging/schemas/\(schema).schema.json")
    let input = Array(documents.joined(separator: "\n").utf8)
    let outcome = try await Command("/usr/bin/python3", ["-c", script, path], input: input).run()
    #expect(outcome.ending == .exited(0), "\(outcome.errorText)")
    return outcome.lines
  }

  static func text(_ manifest: Manifest) -> String {
    String(decoding: JSONWriter.write(manifest.json), as: UTF8.self)
  }

  static func full() -> Manifest {
    var manifest = PushPayloadTests.manifest({ $0.title = "T" }, media: 2)
    manifest.attachments[0].altText = "alt"
    manifest.attachments[0].dominantColor = "#aabbcc"
    manifest.attachments[0].source.format = .heic
    manifest.attachments[0].source.cache = .coalesced
    manifest.attachments[0].source.durationSeconds = 1.5
    manifest.attachments[0].renditions[0].options.thumbnailClippingRect =
      .init(x: 0.1, y: 0, width: 0.8, height: 1)
    manifest.problems = Problem.Code.allCases.map { Problem(.download, $0, "m", url: "u") }
    manifest.timing.milliseconds.total = 160
    manifest.notification.drafts = [["id": 1], "x"]
    manifest.notification.actions = [
      [
        "identifier": "open", "title": "Open", "destructive": false, "foreground": true,
        "authenticationRequired": false, "textInput": .null,
      ]
    ]
    return manifest
  }

  @Test("Manifests are valid by their schema, full and empty")
  func manifests() async throws {
    var documents = [Self.text(Self.full()), Self.text(PushPayloadTests.manifest { _ in })]
    for kind in PayloadFuzzTests.Kind.allCases {
      let payload = try Payload.read(
        try PayloadFuzzTests.seed(kind), fileExtension: kind.rawValue)
      documents.append(Self.text(PayloadFuzzTests.manifest(payload)))
    }
    guard let verdicts = try await Self.verdicts("manifest", documents) else { return }
    #expect(verdicts == Array(repeating: "ok", count: documents.count))
  }

  @Test("The schema notices a manifest that lacks a key, has one too many, or a wrong value")
  func wrongManifests() async throws {
    let right = Self.text(Self.full())
    let changes = [
      (#""version":1,"#, ""), (#""generation":1"#, #""generation":0"#),
      (#""url":"u""#, #""uri":"u""#),
      (#""status":"complete""#, #""status":"done""#), (#""thumbHash":null,"#, ""),
      (#""id":"x""#, #""id":"../x""#), (#"[0.1,0,0.8,1]"#, "[0.1,0,0.8]"),
      (#""actions":["#, #""more":1,"actions":["#),
      (#""foreground":true,"#, ""), (#""textInput":null"#, #""textInput":true"#),
    ]
    let documents = changes.map { right.replacingOccurrences(of: $0.0, with: $0.1) }
    #expect(!documents.contains(right))
    guard let verdicts = try await Self.verdicts("manifest", documents) else { return }
    #expect(verdicts.count == documents.count)
    #expect(!verdicts.contains("ok"))
  }

  @Test("Payloads that are read without a note are valid by their schema, others are not")
  func payloads() async throws {
    let right = try [PayloadFuzzTests.Kind.json, .wrapped, .items].map {
      String(decoding: try PayloadFuzzTests.seed($0), as: UTF8.self)
    }
    let wrong = [
      "[]", "{}", #"{"url":7}"#, #"{"title":"T","ttlSeconds":"9"}"#, #"{"title":"T","media":"x"}"#,
    ]
    guard let verdicts = try await Self.verdicts("payload", right + wrong) else { return }
    #expect(verdicts.prefix(3) == ["ok", "ok", "ok"])
    #expect(verdicts.count == 8)
    #expect(!verdicts.dropFirst(3).contains("ok"))
  }
}
