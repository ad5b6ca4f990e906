import Files
import Foundation
import Glibc
import Media
import TestSupport
import Testing

/// A worker as a service manager sees it: sd_notify(3), by an independent listener.
@Suite(.timeLimit(.minutes(15))) struct ServiceTests {
  private static let listener = """
    import socket, sys
    s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    s.bind(sys.argv[1])
    s.settimeout(60)
    print("listening", flush=True)
    while True:
        text = s.recv(4096).decode()
        print(text.splitlines()[0], flush=True)
        if text.startswith("STOPPING=1"): break
    """

  @Test(arguments: ["path", "abstract"])
  func `A worker says that it is ready, alive and stopping`(_ form: String) async throws {
    let site = try JobSite.make()
    let path = site.root.path(of: "notify")
    let script =
      form == "path"
      ? Self.listener
      : Self.listener.replacing("sys.argv[1]", with: "'\\0' + sys.argv[1]")
    let listener = try Command.tool("python3", ["-c", script, path]).start()
    try await eventually("a listener") { try listener.outputSoFar().count > 0 }
    var command = try site.worker([])
    command.environment["NOTIFY_SOCKET"] = form == "path" ? path : "@\(path)"
    command.environment["WATCHDOG_USEC"] = "200000"
    let worker = try command.start()
    try await eventually("signs of life") {
      String(decoding: try listener.outputSoFar(), as: UTF8.self)
        .components(separatedBy: "WATCHDOG=1").count > 3
    }
    worker.send(SIGTERM)
    let heard = try await listener.finish(by: .after(.seconds(60)))
    #expect(try await worker.finish(by: .after(.seconds(60))).ending == .exited(0))
    #expect(heard.ending == .exited(0))
    #expect(heard.lines.contains("READY=1"))
    #expect(heard.lines.last == "STOPPING=1")
  }

  @Test func `Before the first worker doctor finds nothing wrong in empty directories`()
    async throws
  {
    let folder = try TemporaryDirectory()
    let jobs = try folder.makeFolder("jobs")
    let cache = try folder.makeFolder("cache")
    let outcome = try await Command.built("wirephoto", ["doctor", jobs, "--cache", cache]).run()
    #expect(!String(decoding: outcome.output, as: UTF8.self).contains("cache to outbox"))
    #expect(outcome.ending == .exited(0), "\(outcome.lines)")
  }
}
