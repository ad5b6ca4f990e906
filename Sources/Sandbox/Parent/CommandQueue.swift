internal import Files
internal import Synchronization

/// What the supervisor's thread is asked to do.
enum SupervisorCommand: Sendable {
  case run(ChildJob)
  case cancel(ChildJob)
  /// Children of a family ahead of need.
  case prepare(ChildFamily)
  case posture(ChildFamily, CheckedContinuation<Result<SandboxPosture, ChildFailure>, Never>)
  case census(CheckedContinuation<ChildCensus, Never>)
  /// Ends all children, then the thread.
  case stop(CheckedContinuation<Void, Never>?)
}

extension SupervisorCommand {
  /// Answers in place of a thread that has ended, and all children with it.
  func answerAfterTheEnd() {
    let failure = ChildFailure.unavailable("shutting down")
    switch self {
    case .run(let job): job.finish(.failure(failure))
    case .cancel, .prepare: break
    case .posture(_, let continuation): continuation.resume(returning: .failure(failure))
    case .census(let continuation): continuation.resume(returning: ChildCensus())
    case .stop(let continuation): continuation?.resume()
    }
  }
}

/// Commands on their way to the thread, and what wakes it.
final class CommandQueue: Sendable {
  private struct State {
    var commands: [SupervisorCommand] = []
    var isClosed = false

    mutating func take() -> [SupervisorCommand] {
      defer { commands = [] }
      return commands
    }
  }

  let wake: WakeUp
  private let state = Mutex(State())

  init() throws(SystemCallFailure) {
    wake = try WakeUp.create()
  }

  /// Hands a command to the thread; every command is answered, even when the thread has ended.
  func post(_ command: SupervisorCommand) {
    let isOpen = state.withLock { state in
      if !state.isClosed { state.commands.append(command) }
      return !state.isClosed
    }
    if isOpen { wake.signal() } else { command.answerAfterTheEnd() }
  }

  /// All commands since the last call, in order.
  func take() -> [SupervisorCommand] {
    wake.clear()
    return state.withLock { $0.take() }
  }

  /// Ends the taking; what came too late is answered here.
  func close() {
    let late = state.withLock { state in
      state.isClosed = true
      return state.take()
    }
    for command in late { command.answerAfterTheEnd() }
  }
}
