import Foundation
import Glibc
import Media
import TestSupport
import Testing

/// Workers that run short of what the machine gives.
@Suite(.timeLimit(.minutes(15))) struct ShortageTests {
  @Test("Too few descriptors slow a worker down, and neither end it nor lose a job")
  func descriptors() async throws {
    let site = try JobSite.make()
    let count = 40
    for index in 0..<count { try await site.submit("job\(index)", image: "/jpeg/baseline.jpg") }
    let worker = try site.worker(["--drain"])
    let command = ([worker.program] + worker.arguments).map { "'\($0)'" }.joined(separator: " ")
    let outcome = try await Command.tool("sh", ["-c", "ulimit -n 100; exec \(command)"])
      .run(limit: .seconds(120))
    #expect(outcome.ending == .exited(0), "\(outcome.errorText.suffix(500))")
    #expect(try site.names("outbox").count == count)
    #expect(try site.names("incoming").isEmpty && site.names("active").isEmpty)
  }

  /// From now on a worker's starts of children fail as with too many processes (`ulimit -u`, which
  /// does not bind root); nil, which is said, where that cannot be had.
  private func refuseProcesses(
    to worker: borrowing RunningCommand, times: String
  ) async throws -> RunningCommand? {
    guard let strace = try? requireTool("strace"),
      try await Command(strace, ["-o", "/dev/null", "/bin/true"]).run().ending == .exited(0)
    else {
      print("skipped: strace is not there, or may not trace")
      return nil
    }
    try await worker.waitForLog("publishing takes")
    let tracer = try Command(
      strace,
      [
        "-f", "-o", "/dev/null", "-e", "trace=clone", "-e",
        "inject=clone:error=EAGAIN:when=\(times)", "-p", "\(worker.process)",
      ]
    ).start()
    try await tracer.waitForLog("attached")
    return tracer
  }

  @Test("Too few processes hold jobs up for as long as they have time, and not longer")
  func processes() async throws {
    let warm = try WarmSite.make(pictures: 6)
    let worker = try warm.site.worker([]).start()
    guard let tracer = try await refuseProcesses(to: worker, times: "1..8") else { return }
    for index in 0..<6 { try await warm.site.submit("job\(index)", image: "/\(index).jpg") }
    for index in 0..<6 {
      try await warm.site.waitForOutbox("job\(index)")
      let manifest = try warm.site.manifest("job\(index)")
      #expect(manifest.content.status == "complete", "\(manifest.codes)")
    }
    tracer.send(SIGINT)
    _ = try await tracer.finish(by: .after(.seconds(120)))
    worker.send(SIGTERM)
    #expect(try await worker.finish(by: .after(.seconds(120))).ending == .exited(0))
  }

  @Test("Jobs that get no process in time say so, and nothing is held against their pictures")
  func noProcesses() async throws {
    let warm = try WarmSite.make(pictures: 6)
    let worker = try warm.site.worker([]).start()
    guard let tracer = try await refuseProcesses(to: worker, times: "1+") else { return }
    // More than the children that are ready.
    for index in 0..<6 {
      try await warm.site.submit(
        "job\(index)", image: "/\(index).jpg?cache=max-age%3D60",
        more: ["ttlSeconds": 5])
    }
    for index in 0..<6 { try await warm.site.waitForOutbox("job\(index)") }
    let late = try (0..<6).filter {
      try warm.site.manifest("job\($0)").content.status != "complete"
    }
    #expect(!late.isEmpty)
    let messages = try late.flatMap { index in
      try warm.site.manifest("job\(index)").content.problems.map(\.message)
    }
    // The others waited for the turn of those to come.
    #expect(messages.contains { $0.contains("Resource temporarily unavailable") }, "\(messages)")
    tracer.send(SIGINT)
    _ = try await tracer.finish(by: .after(.seconds(120)))
    for index in late {
      try await warm.site.submit(
        "again\(index)", image: "/\(index).jpg?cache=max-age%3D60")
      try await warm.site.waitForOutbox("again\(index)")
      #expect(try warm.site.manifest("again\(index)").content.status == "complete")
    }
    #expect(try warm.site.names("failed").isEmpty)
    worker.send(SIGTERM)
    #expect(try await worker.finish(by: .after(.seconds(120))).ending == .exited(0))
  }

  @Test(
    "Too little address space ends a worker at once, with a message",
    arguments: [60_000, 200_000, 260_000, 1_000_000])
  func addressSpace(kilobytes: Int) async throws {
    let site = try JobSite.make()
    let worker = try site.worker([])
    let command = ([worker.program] + worker.arguments).map { "'\($0)'" }.joined(separator: " ")
    let outcome = try await Command.tool("sh", ["-c", "ulimit -v \(kilobytes); exec \(command)"])
      .run(limit: .seconds(120))
    #expect(outcome.ending == .exited(3))
    #expect(outcome.errorText.contains("ulimit -v"), "\(outcome.errorText)")
  }

  @Test("Another process's lock on the index does not keep manifests back")
  func lockedIndex() async throws {
    let site = try JobSite.make()
    try await site.submit("first", image: "/jpeg/baseline.jpg")
    try await site.drain()
    let script = """
      import sqlite3, sys, time
      connection = sqlite3.connect(sys.argv[1], isolation_level=None)
      connection.execute("BEGIN IMMEDIATE")
      print("locked", flush=True)
      time.sleep(60)
      """
    let holder = try Command.tool(
      "python3", ["-c", script, site.root.path(of: "cache/index.sqlite")]
    ).start()
    try await eventually("the lock") {
      String(decoding: try holder.outputSoFar(), as: UTF8.self).contains("locked")
    }
    for index in 0..<8 { try await site.submit("job\(index)", image: "/png/rgba-8.png?n=\(index)") }
    #expect(try await site.worker().run(limit: .seconds(40)).ending == .exited(0))
    #expect(try site.names("outbox").count == 9)
    holder.send(SIGKILL)
  }
}
