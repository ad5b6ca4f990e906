internal import Dispatch
package import Files
internal import Foundation
package import Glibc
package import Media

/// What became of a child process.
package struct CommandOutcome: Sendable {
  package enum Ending: Sendable, Hashable {
    case exited(Int32)
    case signalled(Int32)
    /// Killed because its time was up.
    case overdue
  }

  package let ending: Ending
  package let output: [UInt8]
  package let errors: [UInt8]
  /// The largest resident size of the child or of a descendant it waited for, in bytes.
  package let peakMemory: Int
  /// User and system time of the child and of the descendants it waited for.
  package let processorTime: Duration

  package var text: String { String(decoding: output, as: UTF8.self) }
  package var errorText: String { String(decoding: errors, as: UTF8.self) }
  package var lines: [Substring] { text.split(separator: "\n") }
}

/// A started child; killed and reaped when its owner ends before it does.
package struct RunningCommand: ~Copyable, Sendable {
  package let process: pid_t
  private let streams: StandardStreams
  private var isReaped = false

  init(process: pid_t, streams: consuming StandardStreams) {
    self.process = process
    self.streams = streams
  }

  deinit {
    guard !isReaped else { return }
    kill(process, SIGKILL)
    while waitpid(process, nil, 0) == -1, errno == EINTR {}
  }

  /// Sends a signal. The process id stays ours until the child is reaped.
  package borrowing func send(_ signal: Int32) {
    kill(process, signal)
  }

  /// What the child has written to standard output up to now.
  package borrowing func outputSoFar() throws(SystemCallFailure) -> [UInt8] {
    try Self.contents(of: streams.output)
  }

  /// What the child has written to standard error up to now.
  package borrowing func errorsSoFar() throws(SystemCallFailure) -> [UInt8] {
    try Self.contents(of: streams.errors)
  }

  /// Waits for the child's end and reaps it; past `deadline` it is killed first.
  package consuming func finish(by deadline: Deadline) async throws -> CommandOutcome {
    let process = process
    let hadTime = await Self.end(of: process, by: deadline)
    if !hadTime {
      kill(process, SIGKILL)
      _ = await Self.end(of: process, by: .after(.seconds(30)))
    }
    let output = try Self.contents(of: streams.output)
    let errors = try Self.contents(of: streams.errors)
    var status: Int32 = 0
    var usage = rusage()
    while unsafe wait4(process, &status, 0, &usage) == -1, errno == EINTR {}
    isReaped = true
    return CommandOutcome(
      ending: hadTime ? .init(status: status) : .overdue, output: output, errors: errors,
      peakMemory: usage.ru_maxrss * 1024,
      processorTime: Duration(usage.ru_utime) + Duration(usage.ru_stime))
  }

  private static func contents(
    of file: borrowing Descriptor
  ) throws(SystemCallFailure) -> [UInt8] {
    try file.read(at: 0, count: try file.size())
  }

  /// Whether the child ended in time. It stays a zombie, so that its id is not given away.
  private static func end(of process: pid_t, by deadline: Deadline) async -> Bool {
    await withCheckedContinuation { continuation in
      // A thread of its own waits: a blocked one of the concurrency pool could stop all tests.
      Thread.detachNewThread {
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          var information = unsafe siginfo_t()
          while unsafe waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) == -1,
            errno == EINTR
          {}
          ended.signal()
        }
        let limit =
          DispatchTime.now() + .milliseconds(Int(deadline.remaining.millisecondsRoundedUp))
        continuation.resume(returning: ended.wait(timeout: limit) == .success)
      }
    }
  }
}

extension CommandOutcome.Ending {
  /// The corresponding C macros are `WIFEXITED`, `WEXITSTATUS` and `WTERMSIG`.
  init(status: Int32) {
    self = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
  }
}

extension Duration {
  init(_ time: timeval) {
    self = .seconds(time.tv_sec) + .microseconds(time.tv_usec)
  }
}
