import Files
import Foundation
import Media
import TestSupport
import Testing

/// Wild names and ids with the real programs: nothing leaves its directory, nothing is lost.
@Suite(.timeLimit(.minutes(15))) struct JobNameTests {
  @Test(
    "No id leaves the outbox",
    arguments: [
      ("", "file"), (".", "%2E"), ("..", "%2E."), (".x", "%2Ex"), ("/", "%2F"),
      ("a/../../b", "a%2F..%2F..%2Fb"), ("/etc/passwd", "%2Fetc%2Fpasswd"), ("a b", "a%20b"),
      (String(repeating: "😀", count: 500), nil),
    ] as [(String, String?)])
  func wildIds(id: String, folder: String?) async throws {
    let site = try JobSite.make()
    try site.root.makeFolder("jobs/incoming")
    let payload = try JSONSerialization.data(withJSONObject: ["id": id, "title": "T"])
    try site.root.write([UInt8](payload), to: "jobs/incoming/file.json")
    #expect(try await site.drain().ending == .exited(0))
    let names = try site.names("outbox")
    #expect(names.count == 1)
    if let folder { #expect(names == [folder]) }
    let name = try #require(names.first)
    #expect(name.utf8.count <= 120)
    #expect(try site.manifest(name).content.id == name)
    #expect(try site.names("done") == ["file.json"])
    #expect(try site.root.names().sorted() == ["cache", "jobs"])
    #expect(
      try site.names(".").sorted()
        == ["active", "done", "failed", "incoming", "outbox", "tmp"])
  }

  @Test("Two files with one id are two generations, and both payloads are kept")
  func oneIdTwice() async throws {
    let site = try JobSite.make()
    try site.root.makeFolder("jobs/incoming")
    for name in ["first.json", "second.json"] {
      try site.root.write(#"{"id":"same","title":"T"}"#, to: "jobs/incoming/\(name)")
    }
    #expect(try await site.drain().ending == .exited(0))
    #expect(try site.names("outbox") == ["same"])
    // Where both were worked on at once, the first is told to be superseded.
    let payloads = try site.names("done").filter { !$0.hasSuffix(".reason.json") }
    #expect(payloads == ["first.json", "second.json"])
  }

  @Test("A name that is not UTF-8 becomes a result, and a foreign one a warning")
  func rawNames() async throws {
    let site = try JobSite.make()
    try site.root.makeFolder("jobs/incoming")
    let incoming = site.root.path(of: "jobs/incoming")
    let name = FileName.text([0x63, 0x61, 0x66, 0xE9, 0x2E, 0x6A, 0x73, 0x6F, 0x6E])
    try NewFile.write(Array(#"{"title":"T"}"#.utf8), to: "\(incoming)/\(name)", overwriting: false)
    try site.root.write("x", to: "jobs/incoming/note.md")
    let outcome = try await site.drain()
    #expect(outcome.ending == .exited(0))
    #expect(try site.names("outbox") == ["caf%E9"])
    #expect(outcome.errorText.split(separator: "note.md").count == 2, "\(outcome.errorText)")
    #expect(try site.names("incoming") == ["note.md"])
    let stats = try await Command.built("wirephoto", ["jobs", "stats", site.jobs, "--json"]).run()
    #expect(stats.text.contains("\"foreign\":1"), "\(stats.text)")
    let list = try await Command.built("wirephoto", ["jobs", "list", site.jobs]).run()
    #expect(list.lines.contains { $0.hasPrefix("incoming  -") && $0.contains("note.md") })
  }
}
