import Foundation
import Glibc
import Media
import Origin
import TestSupport
import Testing

/// Downloads that miss their deadline and finish into the cache.
@Suite(.timeLimit(.minutes(15))) struct LateDownloadTests {
  private static let fresh = "cache=max-age%3D3600"

  @Test("A download that missed its deadline is there for the next job, asked for once")
  func late() async throws {
    let site = try JobSite.make()
    let worker = try site.worker([]).start()
    let address = "/jpeg/large-progressive.jpg?rate=25000&\(Self.fresh)"
    try await site.submit("first", image: address, more: ["ttlSeconds": 2])
    try await site.waitForOutbox("first")
    #expect(try site.manifest("first").codes.contains("downloadTimeout"))
    try await site.waitForOriginal()
    try await site.submit("second", image: address)
    try await site.waitForOutbox("second")
    let second = try site.manifest("second").content
    #expect(second.status == "complete")
    #expect(second.attachments.first?.source.cache == "hit")
    #expect(site.origin.requests.count == 1)
    worker.send(SIGTERM)
    #expect(try await worker.finish(by: .after(.seconds(120))).ending == .exited(0))
  }

  @Test("A worker that drains waits for a late download that makes progress")
  func drained() async throws {
    let site = try JobSite.make()
    let address = "/jpeg/large-progressive.jpg?rate=25000&\(Self.fresh)"
    try await site.submit("job", image: address, more: ["ttlSeconds": 2])
    try await site.drain()
    #expect(try site.root.names(in: "cache/originals").count == 1)
  }

  @Test("Without --finish-late a download ends with its job")
  func ended() async throws {
    let site = try JobSite.make()
    let worker = try site.worker(["--finish-late=0"]).start()
    try await site.submit(
      "job", image: "/jpeg/large-progressive.jpg?rate=25000", more: ["ttlSeconds": 2])
    try await site.waitForOutbox("job")
    try await eventually("the download's end") { site.origin.openConnections == 0 }
    #expect(try site.root.names(in: "cache/originals").isEmpty)
    worker.send(SIGTERM)
    #expect(try await worker.finish(by: .after(.seconds(120))).ending == .exited(0))
  }

  @Test("A picture that came second to an alternate finishes late, asked for once")
  func loser() async throws {
    let site = try JobSite.make()
    let worker = try site.worker([]).start()
    try await site.submit(
      "job", image: "/jpeg/baseline.jpg?delay=7000&\(Self.fresh)",
      more: ["imageURLs": [site.origin.url("/png/rgb-8.png?\(Self.fresh)")], "ttlSeconds": 40])
    try await site.waitForOutbox("job")
    #expect(try site.manifest("job").content.attachments.map(\.rung) == ["alternate"])
    try await eventually("both originals") {
      try site.root.names(in: "cache/originals").count == 2
    }
    #expect(site.origin.requests.count { $0.path == "/jpeg/baseline.jpg" } == 1)
    worker.send(SIGTERM)
    #expect(try await worker.finish(by: .after(.seconds(120))).ending == .exited(0))
  }

  @Test("Few downloads go on, and none that brings nothing more")
  func bounded() async throws {
    let site = try JobSite.make(listening: "0.0.0.0")
    let worker = try site.worker([]).start()
    let count = 12
    for number in 0..<count {
      // A host each: six connections to one are all that is allowed.
      let address = "http://127.0.0.\(number + 1):\(site.origin.port)/jpeg/large.jpg?stall=10"
      try await site.submit("job\(number)", image: address, more: ["ttlSeconds": 4])
    }
    for number in 0..<count { try await site.waitForOutbox("job\(number)") }
    try await eventually("the end of those beyond the bound") {
      site.origin.openConnections <= 8
    }
    try await eventually("the end of all") { site.origin.openConnections == 0 }
    worker.send(SIGTERM)
    #expect(try await worker.finish(by: .after(.seconds(120))).ending == .exited(0))
  }
}
