import Foundation
import Media
import Origin
import TestSupport
import Testing

/// Manifests of real jobs of every kind, by the schema that ships and by what they must say.
@Suite(.timeLimit(.minutes(15))) struct ManifestFormTests {
  /// Each argument after the schema is a document; each line of output says `ok` or what is wrong.
  private static let validator = """
    import json, sys
    from jsonschema import Draft202012Validator
    schema = Draft202012Validator(json.load(open(sys.argv[1])))
    for path in sys.argv[2:]:
        errors = [e.json_path + " " + e.message for e in schema.iter_errors(json.load(open(path)))]
        print("ok" if not errors else "; ".join(errors)[:500].replace("\\n", " "))
    """

  private static let settings = """
    {"profiles": {"hero": {"box": "600x315", "fit": "cover"}},
     "categories": [{"identifier": "article", "actions": [
       {"identifier": "save", "title": "Save for later", "foreground": true},
       {"identifier": "reply", "title": "Reply", "authenticationRequired": true,
        "textInput": {"buttonTitle": "Send", "placeholder": "Your thoughts"}},
       {"identifier": "mute", "title": "Mute", "destructive": true}]}]}
    """

  private func manifest(_ site: borrowing JobSite, _ id: String) throws -> [String: Any] {
    let bytes = try FileBytes.read(site.root.path(of: "jobs/outbox/\(id)/manifest.json"))
    return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  @Test func `manifests of all kinds of jobs are valid by the schema`() async throws {
    let site = try JobSite.make()
    try site.root.write(Self.settings, to: "cache/settings.json")
    let media: [String: [String]] = [
      "film": ["/video/h264.mov", "/video/vp9.webm"], "rotated": ["/video/h264-rotated.mp4"],
      "sound": ["/audio/cover.mp3", "/audio/plain.wav", "/audio/plain.flac", "/audio/none.mp3"],
      "five": Array(repeating: "/audio/plain.wav", count: 5),
    ]
    for (id, paths) in media {
      try await site.submit(id, image: nil, more: ["media": paths.map { site.origin.url($0) }])
    }
    let pictures = [
      "still": "/jpeg/baseline.jpg", "alpha": "/png/rgba-8.png", "animation": "/gif/animated.gif",
      "cut": "/truncated/progressive.jpg", "missing": "/none.jpg", "broken": "/jpeg/large.jpg",
    ]
    for (id, path) in pictures {
      var more: [String: Any] = ["profiles": ["iphone", "thumb", "hero"]]
      if id == "still" { more["categoryIdentifier"] = "article" }
      if id == "alpha" { more["categoryIdentifier"] = "gossip" }
      let query = id == "broken" ? "?close=70" : ""
      try await site.submit(id, image: "\(path)\(query)", more: more)
    }
    try await site.submit("text", image: nil)
    try await site.submit("late", image: nil, more: ["deadline": "2020-01-01T00:00:00Z"])
    #expect(
      try await site.drain(["--public-base-url", "https://pictures.example/"]).ending == .exited(0))
    let ids = Array(media.keys) + pictures.keys + ["text", "late"]
    #expect(Set(try site.names("outbox")) == Set(ids))
    try check(site)
    let outcome = try await Command(
      "/usr/bin/python3",
      ["-c", Self.validator, Project.path("Packaging/schemas/manifest.schema.json")]
        + ids.map { site.root.path(of: "jobs/outbox/\($0)/manifest.json") }
    ).run()
    guard outcome.ending == .exited(0) || !outcome.errorText.contains("jsonschema") else {
      print("skipped: python3-jsonschema is not installed")
      return
    }
    for (id, verdict) in zip(ids, outcome.lines) { #expect(verdict == "ok", "\(id): \(verdict)") }
    #expect(outcome.lines.count == ids.count)
  }

  private func check(_ site: borrowing JobSite) throws {
    try checkCategories(site)
    let film = try #require(
      try (manifest(site, "film")["attachments"] as? [[String: Any]])?.first)
    let source = try #require(film["source"] as? [String: Any])
    #expect(film["playButton"] as? String == "overlay")
    #expect(source["codecs"] as? [String] == ["h264", "aac"])
    #expect(abs((source["durationSeconds"] as? Double ?? 0) - 2.5) <= 0.05)
    let renditions = try #require(film["renditions"] as? [[String: Any]])
    let options = renditions.map { $0["options"] as? [String: Any] ?? [:] }
    #expect(options.first?["thumbnailTime"] is NSNull)
    #expect(((options.last?["thumbnailTime"] as? Double) ?? -1) >= 0.5)
    #expect(renditions.allSatisfy { $0["objectURL"] is String })
    let sounds = try #require(try manifest(site, "sound")["attachments"] as? [[String: Any]])
    #expect(sounds.map { $0["playButton"] as? String } == ["default", "default"])
    let problems = try #require(try manifest(site, "sound")["problems"] as? [[String: Any]])
    #expect(
      problems.map { $0["code"] as? String } == ["unsupportedFormat", "httpStatus"])
    #expect(try manifest(site, "five")["status"] as? String == "complete")
    #expect((try manifest(site, "five")["attachments"] as? [Any])?.count == 4)
  }

  private func checkCategories(_ site: borrowing JobSite) throws {
    let still = try #require(try manifest(site, "still")["notification"] as? [String: Any])
    let actions = try #require(still["actions"] as? [NSDictionary])
    #expect(
      actions == [
        [
          "identifier": "save", "title": "Save for later", "destructive": false,
          "foreground": true, "authenticationRequired": false, "textInput": NSNull(),
        ],
        [
          "identifier": "reply", "title": "Reply", "destructive": false, "foreground": false,
          "authenticationRequired": true,
          "textInput": ["buttonTitle": "Send", "placeholder": "Your thoughts"],
        ],
        [
          "identifier": "mute", "title": "Mute", "destructive": true, "foreground": false,
          "authenticationRequired": false, "textInput": NSNull(),
        ],
      ])
    let unknown = try manifest(site, "alpha")
    let notification = unknown["notification"] as? [String: Any]
    #expect((notification?["actions"] as? [Any])?.isEmpty == true)
    #expect(notification?["categoryIdentifier"] as? String == "gossip")
    let codes = (unknown["problems"] as? [[String: Any]])?.compactMap { $0["code"] as? String }
    #expect(codes == ["unknownCategory"])
  }
}
