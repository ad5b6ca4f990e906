import Foundation
import TestSupport
import Testing

/// Runs a trial in a network of its own, whose only name server and web server are the trial's.
enum Namespace {
  static let isPermitted: Bool = {
    let probe = Process()
    probe.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
    probe.arguments = ["-rnm", "ip", "link", "set", "lo", "up"]
    probe.standardOutput = FileHandle.nullDevice
    probe.standardError = FileHandle.nullDevice
    guard (try? probe.run()) != nil else { return false }
    probe.waitUntilExit()
    return probe.terminationStatus == 0
  }()

  /// A public address becomes ours by a route, not as an interface's: our own are refused anyway.
  private static let preparation = """
    ip link set lo up && ip route add local 93.184.216.0/24 dev lo && \
    mount --bind "$1" /etc/resolv.conf && shift && exec "$@"
    """

  static func run(_ arguments: [String]) async throws -> CommandOutcome {
    let folder = try TemporaryDirectory()
    let resolver = try folder.write("nameserver 127.0.0.1\n", to: "resolv.conf")
    let trial = try Project.program("download-trial")
    return try await Command.tool(
      "unshare", ["-rnm", "sh", "-c", preparation, "sh", resolver, trial] + arguments
    ).run()
  }
}

@Suite(
  "Name servers that lie or are silent", .timeLimit(.minutes(15)),
  .enabled(if: Namespace.isPermitted, "needs unshare(1) with network and mount namespaces"))
struct NameServerTests {
  private func values(_ line: Substring) -> [Substring: Int] {
    var values: [Substring: Int] = [:]
    for word in line.split(separator: " ") {
      let parts = word.split(separator: "=")
      if parts.count == 2 { values[parts[0]] = Int(parts[1]) }
    }
    return values
  }

  @Test("A name that flips between a public address and loopback never leads to loopback")
  func rebinding() async throws {
    let outcome = try await Namespace.run(["rebinding", "1000"])
    let counts = values(try #require(outcome.lines.first, "\(outcome.errorText)"))
    #expect(counts["inside"] == 0, "\(outcome.text)")
    #expect(counts["other"] == 0, "\(outcome.text)")
    #expect(try #require(counts["outside"]) > 100)
    #expect(try #require(counts["succeeded"]) > 100)
    #expect(try #require(counts["refused"]) > 100)
    #expect(try #require(counts["questions"]) >= 1000)
  }

  @Test(
    "A silent name server holds up nobody but those who asked it, and those until their deadline")
  func silence() async throws {
    let outcome = try await Namespace.run(["silence"])
    let silent = outcome.lines.filter { $0.hasPrefix("silent") }
    #expect(silent.count == 8, "\(outcome.errorText)")
    for line in silent {
      #expect(line.contains("downloadTimeout"), "\(line)")
      #expect(try #require(values(line)["milliseconds"]) < 8000, "\(line)")
    }
    let counts = values(try #require(outcome.lines.last))
    #expect(counts["quick"] == 20)
    #expect(counts["early"] == 0)
  }
}
