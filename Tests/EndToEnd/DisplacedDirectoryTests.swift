import Files
import Foundation
import Glibc
import Media
import Origin
import TestSupport
import Testing

/// Folders of the job directory, or all of it, that are removed or replaced under a running worker.
@Suite(.timeLimit(.minutes(15))) struct DisplacedDirectoryTests {
  private static let folders = ["incoming", "active", "outbox", "tmp", "done", "failed"]

  private func makeFolder(_ path: String) throws {
    // A worker may have been faster.
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o2770], ofItemAtPath: path)
  }

  private func move(_ path: String, to target: String) throws {
    _ = try retryingOnInterrupt("rename", path: path) { unsafe rename(path, target) }
  }

  /// A payload as a producer puts it in that makes no folders.
  private func deliver(_ id: String, image: String, more: String = "", to site: borrowing JobSite)
    throws
  {
    let text = #"{"id": "\#(id)", "title": "T", "imageURL": "\#(site.origin.url(image))"\#(more)}"#
    let temporary = try site.root.write(text, to: "\(id).new")
    try move(temporary, to: site.root.path(of: "jobs/incoming/\(id).json"))
  }

  @Test("A folder that is removed is made anew, and work goes on", arguments: folders)
  func removed(folder: String) async throws {
    let site = try JobSite.make()
    let worker = try site.worker([]).start()
    try await worker.waitForLog("publishing takes")
    let path = site.root.path(of: "jobs/\(folder)")
    try FileManager.default.removeItem(atPath: path)
    try await worker.waitForLog("\(folder)/ was removed or replaced")
    let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(permissions as? Int == 0o2770)
    // One that works, and one that goes to failed/.
    try deliver("job", image: "/jpeg/baseline.jpg", to: site)
    let bad = try site.root.write("[]", to: "bad.new")
    try move(bad, to: site.root.path(of: "jobs/incoming/bad.json"))
    try await site.waitForOutbox("job")
    try await eventually("done/job.json") { try site.names("done") == ["job.json"] }
    try await eventually("failed/") { try site.names("failed").count == 2 }
    #expect(try site.manifest("job").content.status == "complete")
    worker.send(SIGTERM)
    #expect(try await worker.finish(by: .after(.seconds(60))).ending == .exited(0))
  }

  @Test("A folder that is replaced is the one from then on", arguments: folders)
  func replaced(folder: String) async throws {
    let site = try JobSite.make()
    let worker = try site.worker([]).start()
    try await worker.waitForLog("publishing takes")
    let path = site.root.path(of: "jobs/\(folder)")
    try move(path, to: site.root.path(of: "old"))
    try makeFolder(path)
    try await worker.waitForLog("\(folder)/ was removed or replaced")
    try deliver("job", image: "/jpeg/baseline.jpg", to: site)
    try await site.waitForOutbox("job")
    try await eventually("done/job.json") { try site.names("done") == ["job.json"] }
    worker.send(SIGTERM)
    #expect(try await worker.finish(by: .after(.seconds(60))).ending == .exited(0))
    #expect(try site.root.names(in: "old").filter { !$0.hasPrefix(".") }.isEmpty)
  }

  /// Has a job begun whose decoder gives no answer before it is sent SIGCONT.
  private func beginJob(
    of worker: borrowing RunningCommand, at site: borrowing JobSite
  ) async throws -> [pid_t] {
    try await worker.waitForLog("publishing takes")
    let children = try await ChildSignals(of: worker.process).sendToAll(SIGSTOP)
    try deliver("job", image: "/jpeg/large.jpg", to: site)
    try await site.waitForOriginal()
    return children
  }

  @Test("A job in progress is published once, in the outbox that has the name by then")
  func inProgress() async throws {
    let site = try JobSite.make()
    let worker = try site.worker(["--deadline", "50s"]).start()
    let children = try await beginJob(of: worker, at: site)
    for folder in ["active", "outbox", "done"] {
      let path = site.root.path(of: "jobs/\(folder)")
      try move(path, to: site.root.path(of: "old-\(folder)"))
      try makeFolder(path)
    }
    try await worker.waitForLog("active/")
    for child in children { kill(child, SIGCONT) }
    try await site.waitForOutbox("job")
    worker.send(SIGTERM)
    let outcome = try await worker.finish(by: .after(.seconds(60)))
    #expect(outcome.ending == .exited(0))
    let published = outcome.errorText.components(separatedBy: "complete rung=").count - 1
    #expect(published == 1, "\(outcome.errorText)")
    #expect(try site.names("active").isEmpty)
    #expect(try site.names("done") == ["job.json"])
    for folder in ["active", "outbox", "done"] {
      #expect(try site.root.names(in: "old-\(folder)").isEmpty)
    }
    let later = try await site.drain()
    #expect(later.ending == .exited(0))
    #expect(!later.errorText.contains("complete rung="))
  }

  @Test("An outbox that is replaced during a job gets its manifest")
  func outboxInProgress() async throws {
    let site = try JobSite.make()
    let worker = try site.worker(["--deadline", "50s"]).start()
    let children = try await beginJob(of: worker, at: site)
    let path = site.root.path(of: "jobs/outbox")
    try move(path, to: site.root.path(of: "old"))
    try makeFolder(path)
    for child in children { kill(child, SIGCONT) }
    try await site.waitForOutbox("job")
    #expect(try site.manifest("job").content.status == "complete")
    #expect(try site.root.names(in: "old").isEmpty)
    worker.send(SIGTERM)
    #expect(try await worker.finish(by: .after(.seconds(60))).ending == .exited(0))
  }

  @Test("A job directory that is gone is waited for, and the service manager is told")
  func gone() async throws {
    let site = try JobSite.make()
    let listener = try Command.tool(
      "python3", ["-c", Self.listener, site.root.path(of: "notify")]
    ).start()
    try await eventually("a listener") { try listener.outputSoFar().count > 0 }
    var command = try site.worker([])
    command.environment["NOTIFY_SOCKET"] = site.root.path(of: "notify")
    let worker = try command.start()
    try await worker.waitForLog("publishing takes")
    try FileManager.default.removeItem(atPath: site.jobs)
    try await worker.waitForLog("waiting for it")
    try await eventually("a status") {
      String(decoding: try listener.outputSoFar(), as: UTF8.self)
        .contains("STATUS=Waiting for the job directory \(site.jobs)")
    }
    try site.root.makeFolder("jobs")
    try await worker.waitForLog("as it is now")
    try await eventually("incoming/") { try site.root.names(in: "jobs").contains("incoming") }
    try deliver("job", image: "/jpeg/baseline.jpg", to: site)
    try await site.waitForOutbox("job")
    worker.send(SIGTERM)
    let heard = try await listener.finish(by: .after(.seconds(60)))
    #expect(try await worker.finish(by: .after(.seconds(60))).ending == .exited(0))
    #expect(heard.lines.filter { $0 == "STATUS=Taking jobs" }.count == 2, "\(heard.text)")
  }

  private static let listener = """
    import socket, sys
    s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    s.bind(sys.argv[1])
    s.settimeout(120)
    print("listening", flush=True)
    while True:
        text = s.recv(4096).decode()
        print(text, flush=True)
        if text.startswith("STOPPING=1"): break
    """

  @Test("A worker that has to come to an end does not wait for a directory that is gone")
  func goneWhileDraining() async throws {
    let site = try JobSite.make()
    try deliverStalled(to: site)
    let worker = try site.worker(["--drain"]).start()
    try await site.origin.waitForRequests(1)
    try FileManager.default.removeItem(atPath: site.jobs)
    let outcome = try await worker.finish(by: .after(.seconds(100)))
    #expect(outcome.ending == .exited(3), "\(outcome.errorText)")
    #expect(outcome.errorText.contains(site.jobs))
  }

  private func deliverStalled(to site: borrowing JobSite) throws {
    try makeFolderIfMissing(site.root.path(of: "jobs/incoming"))
    try deliver("job", image: "/jpeg/large.jpg?stall=50", more: #", "ttlSeconds": 55"#, to: site)
  }

  private func makeFolderIfMissing(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  @Test("Who follows the outbox follows the one that takes its place")
  func follower() async throws {
    let site = try JobSite.make()
    try await site.submit("one", image: nil)
    try await site.drain()
    let follower = try Command.built("wirephoto", ["outbox", "follow", site.jobs]).start()
    func told(_ follower: borrowing RunningCommand) throws -> String {
      String(decoding: try follower.outputSoFar(), as: UTF8.self)
    }
    try await eventually("one") { try told(follower).contains(#""id":"one""#) }
    let path = site.root.path(of: "jobs/outbox")
    try move(path, to: site.root.path(of: "old"))
    try await site.submit("two", image: nil)
    try await site.drain()
    try await eventually("two") { try told(follower).contains(#""id":"two""#) }
    try FileManager.default.removeItem(atPath: site.jobs)
    try site.root.makeFolder("jobs")
    try await site.submit("three", image: nil)
    try await site.drain()
    try await eventually("three") { try told(follower).contains(#""id":"three""#) }
    #expect(try told(follower).split(separator: "\n").count == 3)
  }
}
