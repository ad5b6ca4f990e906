import Files
import Foundation
import Glibc
import Media
import TestSupport
import Testing

/// Workers and children that die in the midst of a job.
@Suite(.timeLimit(.minutes(15))) struct CrashTests {
  @Test("A worker killed while it downloads loses nothing: the next run completes the job")
  func killedWorker() async throws {
    let site = try JobSite.make()
    // The first answer stalls in its midst, the second is whole.
    try await site.submit("job", image: "/jpeg/large.jpg?stall=50&fail=1")
    let worker = try site.worker([]).start()
    try await site.origin.waitForRequests(1)
    worker.send(SIGKILL)
    #expect(try await worker.finish(by: .after(.seconds(120))).ending == .signalled(SIGKILL))
    #expect(try site.names("outbox").isEmpty)
    #expect(try site.names("active").count == 1)

    #expect(try await site.drain().ending == .exited(0))
    let manifest = try site.manifest("job")
    #expect(manifest.content.status == "complete", "\(manifest.codes)")
    #expect(manifest.content.generation == 1)
    _ = try await PixelMap.decode(manifest.path(try manifest.rendition()))
    #expect(try site.root.names(in: "jobs/outbox") == ["job"])
    #expect(try site.names("active").isEmpty)
  }

  @Test("SIGTERM lets the active job finish and takes no other") func termination() async throws {
    let site = try JobSite.make()
    try await site.submit("slow", image: "/jpeg/baseline.jpg?delay=700")
    let worker = try site.worker([]).start()
    try await site.origin.waitForRequests(1)
    worker.send(SIGTERM)
    #expect(try await worker.finish(by: .after(.seconds(120))).ending == .exited(0))
    #expect(try site.manifest("slow").content.status == "complete")
  }

  @Test("A second signal hands the active job back at once") func secondSignal() async throws {
    let site = try JobSite.make()
    try await site.submit("job", image: "/jpeg/baseline.jpg?silent&fail=1")
    let worker = try site.worker(["--grace", "60s"]).start()
    try await site.origin.waitForRequests(1)
    worker.send(SIGTERM)
    try await worker.waitForLog("stopping")
    worker.send(SIGTERM)
    #expect(try await worker.finish(by: .after(.seconds(120))).ending == .exited(0))
    #expect(try site.names("outbox").isEmpty)
    #expect(try site.names("incoming").count == 1)
    try await site.drain()
    #expect(try site.manifest("job").content.status == "complete")
  }

  @Test("A decoder that somebody kills costs the job nothing: another takes its place")
  func killedChild() async throws {
    let site = try JobSite.make()
    let worker = try site.worker([]).start()
    try await worker.waitForLog("sandbox")
    let children = ChildSignals(of: worker.process)
    // A child that is stopped takes the job and does not answer.
    try await children.sendToAll(SIGSTOP)
    try await site.submit("job", image: "/jpeg/large.jpg")
    try await site.waitForOriginal()
    try await children.sendToAll(SIGKILL)
    try await site.waitForOutbox("job")
    let manifest = try site.manifest("job")
    #expect(manifest.content.status == "complete", "\(manifest.codes)")
    worker.send(SIGTERM)
    #expect(try await worker.finish(by: .after(.seconds(120))).ending == .exited(0))
  }
}
