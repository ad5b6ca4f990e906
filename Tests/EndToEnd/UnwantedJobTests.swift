import Foundation
import Glibc
import Media
import Origin
import TestSupport
import Testing

/// Jobs in progress that nobody wants any more: expired, replaced by a later payload, or removed.
@Suite(.timeLimit(.minutes(15))) struct UnwantedJobTests {
  @Test("A job whose own deadline had passed costs no request")
  func expired() async throws {
    let site = try JobSite.make()
    try await site.submit(
      "job", image: "/jpeg/baseline.jpg",
      more: [
        "deadline": "2020-01-01T00:00:00Z", "url": site.origin.url("/page.html"),
        "media": [site.origin.url("/audio/cover.mp3")],
      ])
    try await site.drain()
    #expect(try site.manifest("job").content.status == "expired")
    #expect(site.origin.connections.isEmpty)
  }

  @Test("A later payload of the same id supersedes the one in progress, and its download ends")
  func superseded() async throws {
    let site = try JobSite.make()
    let worker = try site.worker([]).start()
    try await site.submit("job", image: "/jpeg/large.jpg?stall=50", more: ["ttlSeconds": 55])
    try await site.origin.waitForRequests(1)
    try await site.submit("job", image: "/jpeg/baseline.jpg")
    try await worker.waitForLog("superseded")
    try await site.waitForOutbox("job")
    try await eventually("no job in active/") { try site.names("active").isEmpty }
    let manifest = try site.manifest("job").content
    #expect(manifest.status == "complete")
    #expect(manifest.generation == 1)
    #expect(manifest.attachments.first?.source.width == 480)
    worker.send(SIGTERM)
    #expect(try await worker.finish(by: .after(.seconds(120))).ending == .exited(0))
    #expect(try site.names("outbox") == ["job"])
    // The earlier one is done as well, with nothing published, and told apart.
    #expect(try site.names("done").count { !$0.hasSuffix(".reason.json") } == 2)
    let list = try await Command.built("wirephoto", ["jobs", "list", site.jobs, "--json"]).run()
    let entries = try list.lines.map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(entries.compactMap { $0["state"] as? String } == ["superseded", "done"])
    let reason = try #require(entries.first?["reason"] as? [String: Any])
    let later = try #require(reason["by"] as? String)
    // What took its place came later than it did, and no later than its own end.
    #expect(reason["superseded"] as? String ?? "" >= later)
    let text = try await Command.built("wirephoto", ["jobs", "list", site.jobs]).run().text
    #expect(text.contains("by the payload delivered at \(later)"), "\(text)")
    let shown = try await Command.built("wirephoto", ["jobs", "show", site.jobs, "job"]).run().text
    #expect(shown.contains("\"superseded\""))
  }

  @Test("Removing the payload in active/ ends the download, and nothing is published")
  func cancelledDownload() async throws {
    let site = try JobSite.make()
    let worker = try site.worker([]).start()
    try await site.submit("job", image: "/jpeg/large.jpg?stall=50", more: ["ttlSeconds": 55])
    try await site.origin.waitForRequests(1)
    let name = try #require(try site.names("active").first)
    try FileManager.default.removeItem(atPath: site.root.path(of: "jobs/active/\(name)"))
    try await worker.waitForLog("cancelled")
    try await eventually("the download's end") { site.origin.openConnections == 0 }
    try await site.submit("next", image: "/jpeg/baseline.jpg")
    try await site.waitForOutbox("next")
    worker.send(SIGTERM)
    #expect(try await worker.finish(by: .after(.seconds(120))).ending == .exited(0))
    #expect(try site.names("outbox") == ["next"])
    #expect(try site.root.names(in: "cache/originals").count == 1)
  }

  @Test("Removing the payload in active/ ends the decoder that works for it")
  func cancelledDecode() async throws {
    let site = try JobSite.make()
    let worker = try site.worker([]).start()
    try await worker.waitForLog("sandbox")
    let children = ChildSignals(of: worker.process)
    // A child that is stopped takes the job and does not answer.
    let stopped = try await children.sendToAll(SIGSTOP)
    try await site.submit("job", image: "/jpeg/large.jpg", more: ["ttlSeconds": 55])
    try await site.waitForOriginal()
    let name = try #require(try site.names("active").first)
    try FileManager.default.removeItem(atPath: site.root.path(of: "jobs/active/\(name)"))
    try await worker.waitForLog("cancelled")
    try await eventually("the end of the child at work") {
      try !Set(stopped).isSubset(of: children.all())
    }
    worker.send(SIGTERM)
    #expect(try await worker.finish(by: .after(.seconds(120))).ending == .exited(0))
    #expect(try site.names("outbox").isEmpty)
  }
}
