package import Files
internal import Glibc
package import Media

/// How many children there are, by what they do, and how many jobs have none yet.
package struct ChildCensus: Sendable, Hashable {
  package var queuedJobs = 0
  package var starting = 0
  package var waiting = 0
  package var working = 0
  /// Killed, not yet reaped.
  package var ending = 0

  package init(
    queuedJobs: Int = 0, starting: Int = 0, waiting: Int = 0, working: Int = 0, ending: Int = 0
  ) {
    self.queuedJobs = queuedJobs
    self.starting = starting
    self.waiting = waiting
    self.working = working
    self.ending = ending
  }
}

/// Starts, feeds, watches and ends the children. One permanent thread does all of it, since a child
/// dies with the thread that started it (PR_SET_PDEATHSIG).
package final class ChildSupervisor: Sendable {
  private let queue: CommandQueue

  /// Starts the thread, but no child yet.
  package init(_ configuration: ChildConfiguration) throws(SystemCallFailure) {
    queue = try CommandQueue()
    try SupervisorThread.start(configuration, queue)
  }

  deinit {
    queue.post(.stop(nil))
  }

  /// Hands one input to a child of its own. `input` is a sealed memory file or a regular file opened
  /// read-only, read from offset 0. Returns or throws at the deadline at the latest, and kills the
  /// child when the task is cancelled.
  package func run(
    _ family: ChildFamily, request: [UInt8], input: borrowing Descriptor,
    limits: ChildLimits? = nil, deadline: Deadline
  ) async throws(ChildFailure) -> ChildResult {
    // Without it the last use of the supervisor is the posting, and its deinit stops the thread.
    defer { withExtendedLifetime(self) {} }
    let job = try Self.job(family, request, input, limits, deadline)
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        job.attach(continuation)
        queue.post(.run(job))
      }
    } onCancel: {
      job.cancel()
      queue.post(.cancel(job))
    }
    return try outcome.get()
  }

  private static func job(
    _ family: ChildFamily, _ request: [UInt8], _ input: borrowing Descriptor,
    _ limits: ChildLimits?, _ deadline: Deadline
  ) throws(ChildFailure) -> ChildJob {
    guard request.count < MessageLimit.bytes else {
      throw .protocolViolation("a request of \(request.count) bytes")
    }
    try ChildJob.check(input)
    do throws(SystemCallFailure) {
      return ChildJob(
        family, request: request, input: try input.duplicate(),
        output: ChildOutput(try MemoryFile.create("wirephoto-output")),
        limits: limits ?? .standard(for: family), deadline: deadline)
    } catch {
      throw .unavailable("\(error)")
    }
  }

  /// Starts the family's waiting children ahead of its first job.
  package func prepare(_ families: [ChildFamily]) {
    for family in families { queue.post(.prepare(family)) }
  }

  /// Which layers hold around a child of the family; starts one where none waits.
  package func posture(
    of family: ChildFamily = .image
  ) async throws(ChildFailure) -> SandboxPosture {
    defer { withExtendedLifetime(self) {} }
    return try await withCheckedContinuation { queue.post(.posture(family, $0)) }.get()
  }

  /// The children there are now.
  package func census() async -> ChildCensus {
    await withCheckedContinuation { queue.post(.census($0)) }
  }

  /// Ends all children; returns when the last is reaped. Jobs under way fail as unavailable.
  package func stop() async {
    await withCheckedContinuation { queue.post(.stop($0)) }
  }
}
