internal import Files
internal import Media

/// What becomes of one child.
extension SupervisorLoop {
  /// Takes in one message: which one may come depends on the stage.
  mutating func hear(_ child: Child, _ bytes: [UInt8]) {
    guard bytes.count <= MessageLimit.bytes else {
      return end(child, .protocolViolation("a message above \(MessageLimit.bytes) bytes"))
    }
    guard let envelope = try? Envelope(decoding: bytes) else {
      return end(child, .protocolViolation("a message of no known form"))
    }
    switch (child.stage, envelope) {
    case (.starting, .ready(let posture)):
      child.stage = .waiting(posture)
      child.deadline = nil
    case (.working(let job), .reply(let reply)):
      // Measured while it waits for its end: nothing tells the peak afterwards.
      child.stage = .answered(job, reply, child.process.peaks())
      child.deadline = min(job.deadline, .after(Child.timeToEnd))
      child.process.dismiss()
    case (.answered, _):
      end(child, .protocolViolation("a second answer"))
    case (.ending, _):
      break
    default:
      end(child, .protocolViolation("a message out of turn"))
    }
  }

  /// Kills the child; its job, if any, fails at once and does not wait for the reaping.
  mutating func end(_ child: Child, _ failure: ChildFailure) {
    if case .ending = child.stage { return }
    child.process.kill()
    child.job?.finish(.failure(failure))
    if child.isStarting || child.isWaiting { note(failure, in: child.family) }
    child.stage = .ending
    child.deadline = nil
  }

  /// Kills a child whose time is over, and says what it spent it on.
  mutating func endLate(_ child: Child) {
    switch child.stage {
    case .working(let job) where !job.deadline.hasPassed:
      end(child, .protocolViolation("it closed its control socket"))
    case .answered(let job, _, _) where !job.deadline.hasPassed:
      end(child, .protocolViolation("it did not end after its answer"))
    case .working(let job):
      let isFull = child.process.peaks()?.reached(job.limits) ?? false
      end(child, isFull ? .outOfMemory : .timedOut)
    default:
      end(child, .timedOut)
    }
  }

  /// Draws the conclusion from a child that is dead and reaped.
  mutating func conclude(_ child: Child, _ end: ChildEnd) {
    switch child.stage {
    case .starting, .waiting:
      note(end.failure, in: child.family)
    case .working(let job):
      job.finish(.failure(end.failure))
    case .answered(let job, let reply, let peaks):
      job.finish(Self.outcome(job, reply, peaks, end))
    case .ending:
      break
    }
  }

  /// The answer of a child that then ended as it should: what one says that crashes or is killed
  /// afterwards is not to be trusted.
  private static func outcome(
    _ job: ChildJob, _ reply: [UInt8], _ peaks: ChildPeaks?, _ end: ChildEnd
  ) -> ChildJob.Outcome {
    guard end.cause == .code(0) else { return .failure(end.failure) }
    do throws(SystemCallFailure) {
      try MemoryFile.seal(job.output.descriptor)
    } catch {
      return .failure(.unavailable("\(error)"))
    }
    let usage = ChildUsage(cpuTime: end.cpuTime, peakBytes: peaks?.resident)
    return .success(ChildResult(reply: reply, output: job.output, usage: usage))
  }

  private mutating func note(_ failure: ChildFailure, in family: ChildFamily) {
    pools[family, default: ChildPool()].noteFailure(
      .unavailable("\(family.executableName) does not start: \(failure)"))
  }
}
