import Glibc
import Media
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct CommandTests {
  static func shell(_ script: String, input: [UInt8] = []) throws -> Command {
    try .tool("sh", ["-c", script], input: input)
  }

  @Test func `Output, errors and exit code are told apart`() async throws {
    let outcome = try await Self.shell("echo out; echo err >&2; exit 7").run()
    #expect(outcome.ending == .exited(7))
    #expect(outcome.text == "out\n")
    #expect(outcome.errorText == "err\n")
  }

  @Test func `Standard input reaches the child whole`() async throws {
    let input = [UInt8](repeating: 0x61, count: 300_000)
    let outcome = try await Self.shell("cat", input: input).run()
    #expect(outcome.output == input)
  }

  @Test func `A signal is no exit code`() async throws {
    #expect(try await Self.shell("kill -TERM $$").run().ending == .signalled(SIGTERM))
  }

  @Test func `A child past its time is killed`() async throws {
    let outcome = try await Self.shell("echo begun; exec sleep 600").run(limit: .milliseconds(500))
    #expect(outcome.ending == .overdue)
  }

  @Test func `Variables are added and removed`() async throws {
    var command = try Self.shell("echo $WIREPHOTO_TEST-${HOME-none}")
    command.environment = ["WIREPHOTO_TEST": "here", "HOME": nil]
    #expect(try await command.run().text == "here-none\n")
  }

  @Test func `Memory and time of the child are measured`() async throws {
    let outcome = try await Self.shell("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done").run()
    #expect(outcome.peakMemory > 500_000)
    #expect(outcome.processorTime > .zero)
  }

  @Test func `A child that nobody waits for ends with its owner`() async throws {
    let process = try startAndForget()
    // Reaped: the id names no process.
    #expect(kill(process, 0) == -1)
  }

  private func startAndForget() throws -> pid_t {
    let running = try Self.shell("exec sleep 600").start()
    return running.process
  }

  @Test func `A program that is not there is an error`() throws {
    #expect(throws: (any Error).self) { _ = try Command("/nonexistent/program").start() }
    #expect(throws: MissingTool.self) { _ = try requireTool("no-such-tool-here") }
    #expect(throws: MissingProgram.self) { _ = try Project.program("no-such-program") }
  }

  @Test func `Built programs lie beside the tests`() throws {
    #expect(try Project.program("wirephoto").hasSuffix("/wirephoto"))
    #expect(
      try FileBytes.head(of: Project.path("Package.swift"), count: 22)
        == Array("// swift-tools-version".utf8))
  }
}
