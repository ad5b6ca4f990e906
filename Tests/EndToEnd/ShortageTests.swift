import Foundation
import Glibc
import Media
import TestSupport
import Testing

/// Workers that run short of what the machine gives.
@Suite(.timeLimit(.minutes(3))) struct ShortageTests {
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

  @Test(
    "Too little address space ends a worker at once, with a message",
    arguments: [60_000, 200_000, 260_000, 1_000_000])
  func addressSpace(kilobytes: Int) async throws {
    let site = try JobSite.make()
    let worker = try site.worker([])
    let command = ([worker.program] + worker.arguments).map { "'\($0)'" }.joined(separator: " ")
    let outcome = try await Command.tool("sh", ["-c", "ulimit -v \(kilobytes); exec \(command)"])
      .run(limit: .seconds(30))
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
