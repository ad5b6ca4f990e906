import Foundation
import Media
import TestSupport
import Testing

/// Contract §1: options, variables, exit codes.
@Suite(.timeLimit(.minutes(15))) struct CommandLineTests {
  private func run(
    _ arguments: [String], environment: [String: String?] = [:]
  ) async throws -> CommandOutcome {
    var command = try Command.built("wirephoto", arguments)
    command.environment = environment
    return try await command.run()
  }

  @Test(
    "Wrong usage is told in one line that names the culprit, with exit code 2",
    arguments: [
      (["probe", "--colour", "x.png"], "--colour"),
      (["probe"], "probe"),
      (["render", "x.png"], "--output"),
      (["render", "x.png", "-o"], "--output"),
      (["render", "x.png", "-o", "y", "--quality", "0"], "--quality"),
      (["render", "x.png", "-o", "y", "--quality=101"], "--quality"),
      (["render", "x.png", "-o", "y", "--profile", "tv"], "--profile"),
      (["render", "x.png", "-o", "y", "--size", "10x"], "--size"),
      (["render", "x.png", "-o", "y", "--max-bytes", "many"], "--max-bytes"),
      (["render", "x.png", "-o", "y", "--flatten", "reddish"], "--flatten"),
      (["render", "x.png", "-o", "y", "--unknown=1"], "--unknown"),
      (["render", "x.png", "-o", "y", "--size", "10x10", "--profile", "thumb"], "--size"),
      (["render", "x.png", "-o", "y", "--format", "webp"], "--format"),
      (["render", "x.png", "y.png", "-o", "one.png"], "--output"),
      (["render", "a/x.png", "b/x.jpg", "-o", "{name}.jpg"], "--output"),
      (["render", "x.png", "-o", "y.webp"], "--output"),
      (["render", "x.png", "-o", "y.png", "--format", "jpeg"], "--output"),
      (["render", "x.png", "-o", "{nam}.png"], "--output"),
      (["render", "x.png", "y.png", "-o", "-"], "--output"),
      (["worker", "/tmp", "--cache", "c", "--deadline", "0s"], "--deadline"),
      (["worker", "/tmp"], "--cache"),
      (["worker", "/tmp", "--cache", "c", "--deadline", "soon"], "--deadline"),
      (["worker", "/tmp", "--cache", "c", "--once", "--drain"], "--once"),
      (["worker", "/tmp", "--cache", "c", "--allow-address", "10.0.0.0/33"], "--allow-address"),
      (["submit", "/tmp"], "submit"),
      (["conjure"], "conjure"),
    ])
  func wrongUsage(arguments: [String], culprit: String) async throws {
    let outcome = try await run(arguments)
    #expect(outcome.ending == .exited(2))
    #expect(outcome.errorText.contains(culprit))
    #expect(outcome.errorText.split(separator: "\n").count == 1)
    #expect(outcome.output.isEmpty)
  }

  @Test("A bad value in the environment is told by the variable's name")
  func badVariable() async throws {
    let outcome = try await run(
      ["render", "x.png", "-o", "y"], environment: ["WIREPHOTO_QUALITY": "best"])
    #expect(outcome.ending == .exited(2))
    #expect(outcome.errorText.contains("WIREPHOTO_QUALITY"))
  }

  @Test("The command line wins over the environment, and options may follow operands")
  func precedence() async throws {
    let sample = Project.path("media-samples/jpeg/baseline.jpg")
    let outcome = try await run(
      [sample, "--json=0"].inserting("probe"), environment: ["WIREPHOTO_JSON": "1"])
    #expect(outcome.ending == .exited(0))
    #expect(!outcome.text.hasPrefix("{"))
    let json = try await run(["probe", sample], environment: ["WIREPHOTO_JSON": "1"])
    #expect(json.text.hasPrefix("{"))
  }

  @Test("Two dashes end the options") func endOfOptions() async throws {
    let outcome = try await run(["probe", "--", "--json"])
    #expect(outcome.ending == .exited(1))
    #expect(outcome.errorText.contains("--json"))
  }

  @Test("A directory that is missing is the environment's fault, with exit code 3")
  func missingDirectory() async throws {
    let outcome = try await run(["worker", "/nonexistent/jobs", "--cache", "/nonexistent/cache"])
    #expect(outcome.ending == .exited(3))
    #expect(outcome.errorText.contains("/nonexistent/jobs"))
  }

  @Test(
    "Results that cannot be written are the environment's fault",
    arguments: [
      ">/dev/full", ">&-",
    ])
  func lostResults(redirection: String) async throws {
    let program = try Project.program("wirephoto")
    let sample = Project.path("media-samples/jpeg/baseline.jpg")
    let outcome = try await Command.tool(
      "sh", ["-c", "'\(program)' probe --json '\(sample)' \(redirection)"]
    ).run()
    #expect(outcome.ending == .exited(3), "\(outcome.errorText)")
  }

  @Test(
    "Help and version go to standard output",
    arguments: [
      ["--help"], ["--version"], ["worker", "--help"], ["probe", "--version"],
      ["render", "--help"],
      ["submit", "--help"], ["doctor", "--help"],
    ])
  func help(arguments: [String]) async throws {
    let outcome = try await run(arguments)
    #expect(outcome.ending == .exited(0))
    #expect(outcome.text.contains("wirephoto"))
    #expect(outcome.errors.isEmpty)
  }
}

extension [String] {
  fileprivate func inserting(_ command: String) -> [String] { [command] + self }
}
