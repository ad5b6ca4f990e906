package import Files
internal import Foundation
internal import Glibc
internal import Media

/// A program with its arguments, run as a real child process.
package struct Command: Sendable {
  /// A path with a slash in it.
  package var program: String
  package var arguments: [String]
  /// Variables on top of the test's own; nil removes one.
  package var environment: [String: String?] = [:]
  /// What the child finds on standard input.
  package var input: [UInt8] = []

  package init(_ program: String, _ arguments: [String] = [], input: [UInt8] = []) {
    self.program = program
    self.arguments = arguments
    self.input = input
  }

  /// One of the programs built from this package.
  package static func built(
    _ name: String, _ arguments: [String] = [], input: [UInt8] = []
  ) throws -> Command {
    Command(try Project.program(name), arguments, input: input)
  }

  /// A tool of the system, found in PATH.
  package static func tool(
    _ name: String, _ arguments: [String] = [], input: [UInt8] = []
  ) throws -> Command {
    Command(try requireTool(name), arguments, input: input)
  }

  /// Starts the child and waits for its end; past `limit` it is killed.
  package func run(limit: Duration = .seconds(60)) async throws -> CommandOutcome {
    let running = try start()
    return try await running.finish(by: .after(limit))
  }

  /// Starts the child. The corresponding C function is `posix_spawn`.
  package func start() throws(SystemCallFailure) -> RunningCommand {
    // Files instead of pipes: no child ever blocks on a full one, and no other child that starts at
    // the same moment holds one open.
    let streams = try StandardStreams.open(input: input)
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, streams.input.number, STDIN_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, streams.output.number, STDOUT_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, streams.errors.number, STDERR_FILENO)
    let attributes = SpawnAttributes()
    var process: pid_t = 0
    let argumentList = CStringList([program] + arguments)
    let variableList = CStringList(variables)
    let failure = unsafe posix_spawn(
      &process, program, &actions, attributes.pointer, argumentList.pointers, variableList.pointers)
    guard failure == 0 else {
      throw SystemCallFailure("posix_spawn", number: failure, path: program)
    }
    return RunningCommand(process: process, streams: streams)
  }

  private var variables: [String] {
    var merged = ProcessInfo.processInfo.environment
    for (name, value) in environment { merged[name] = value }
    return merged.map { "\($0.key)=\($0.value)" }
  }
}

/// Input, output and errors of a child, as files in memory.
struct StandardStreams: ~Copyable, Sendable {
  let input: Descriptor
  let output: Descriptor
  let errors: Descriptor

  static func open(input bytes: [UInt8]) throws(SystemCallFailure) -> StandardStreams {
    let input = try MemoryFile.create("input")
    let span = bytes.span
    unsafe try input.write(span.bytes)
    lseek(input.number, 0, SEEK_SET)
    let errors = try MemoryFile.create("errors")
    // Threads that write at once: without it the kernel lets one write over another, since memory
    // files, unlike files with names, have no lock on their offset.
    guard fcntl(errors.number, F_SETFL, O_APPEND) == 0 else { throw SystemCallFailure("fcntl") }
    return StandardStreams(input: input, output: try MemoryFile.create("output"), errors: errors)
  }
}
