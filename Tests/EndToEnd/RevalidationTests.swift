import Foundation
import Glibc
import Media
import Origin
import TestSupport
import Testing

/// Copies that are used while the origin is asked (RFC 5861 §3).
@Suite(.timeLimit(.minutes(15))) struct RevalidationTests {
  private static let window = "cache=max-age%3D0,stale-while-revalidate%3D600&etag=%221%22"

  @Test func `Inside its window a copy is used at once, in full, and revalidated after`()
    async throws
  {
    let site = try JobSite.make()
    let address = "/jpeg/baseline.jpg?\(Self.window)"
    try await site.submit("first", image: address)
    try await site.drain()
    try await site.submit("second", image: address)
    try await site.drain()
    let manifest = try site.manifest("second").content
    #expect(manifest.status == "complete" && manifest.problems.isEmpty)
    #expect(manifest.attachments.first?.rung == "full")
    #expect(manifest.attachments.first?.source.cache == "hit")
    #expect(site.origin.requests.map { $0.headers["if-none-match"] } == [nil, "\"1\""])
  }

  @Test func `A job waits for no revalidation, and a failing one takes nothing away`() async throws
  {
    let site = try JobSite.make()
    let address = "/jpeg/baseline.jpg?\(Self.window)"
    try await site.submit("first", image: address)
    try await site.drain()
    site.origin.stop()
    for id in ["second", "third"] {
      try await site.submit(id, image: address)
      try await site.drain()
      #expect(try site.manifest(id).content.status == "complete")
    }
  }

  @Test func `Four processes revalidate one address one at a time`() async throws {
    let site = try JobSite.make()
    let address = "/jpeg/baseline.jpg?\(Self.window)&delay=100"
    try await site.submit("first", image: address)
    try await site.drain()
    try await site.submit(count: 40) { _ in address }
    try await site.drain(processes: 4)
    #expect(try site.statuses(40) == ["complete": 40])
    #expect(site.origin.requests.count >= 2)
    #expect(site.origin.mostAtOnce == 1)
  }

  @Test func `A stopped worker waits for a revalidation no longer than its grace`() async throws {
    let site = try JobSite.make()
    let address = "/jpeg/baseline.jpg?\(Self.window)&delay=12000"
    try await site.submit("first", image: address)
    try await site.drain()
    try await site.submit("second", image: address)
    let worker = try site.worker(["--grace", "100ms"]).start()
    try await site.waitForOutbox("second")
    try await site.origin.waitForRequests(2)
    let stopped = ContinuousClock.now
    worker.send(SIGTERM)
    #expect(try await worker.finish(by: .after(.seconds(60))).ending == .exited(0))
    #expect(stopped.duration(to: .now) < .seconds(10))
  }
}

/// What a 304 and a redirect allow (RFC 9111 §4.3.4, §4.2).
@Suite(.timeLimit(.minutes(15))) struct ConditionalRequestTests {
  @Test func `A 304 that speaks of another copy is asked again without conditions`() async throws {
    let site = try JobSite.make()
    let address = "/jpeg/baseline.jpg?cache=max-age%3D0&etag=%22a%22&confirms=%22b%22"
    for id in ["first", "second"] {
      try await site.submit(id, image: address)
      try await site.drain()
      let manifest = try site.manifest(id)
      #expect(manifest.content.status == "complete")
      #expect(manifest.content.attachments.first?.source.cache == "miss")
    }
    #expect(site.origin.requests.map { $0.headers["if-none-match"] } == [nil, "\"a\"", nil])
  }

  @Test func `A passing redirect is asked for again, its target with conditions`() async throws {
    let site = try JobSite.make()
    let target = "/jpeg/baseline.jpg?cache=max-age%253D600%26etag=%2522a%2522"
    for id in ["first", "second"] {
      try await site.submit(id, image: "/x.jpg?redirect=\(target)")
      try await site.drain()
      #expect(try site.manifest(id).content.status == "complete")
    }
    #expect(try site.manifest("second").content.attachments.first?.source.cache == "revalidated")
    #expect(
      site.origin.requests.map(\.path) == [
        "/x.jpg", "/jpeg/baseline.jpg", "/x.jpg", "/jpeg/baseline.jpg",
      ])
    #expect(site.origin.requests.last?.headers["if-none-match"] == "\"a\"")
  }

  @Test func `A permanent redirect is kept as long as its target`() async throws {
    let site = try JobSite.make()
    let target = "/jpeg/baseline.jpg?cache=max-age%253D600"
    for id in ["first", "second"] {
      try await site.submit(id, image: "/x.jpg?status=301&redirect=\(target)")
      try await site.drain()
    }
    #expect(site.origin.requests.count == 2)
  }
}
