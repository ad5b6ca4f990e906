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

/// Commands on their way to the thread, and what wakes it.
final class CommandQueue: Sendable {
  let wake: WakeUp
  private let commands = Mutex<[SupervisorCommand]>([])

  init() throws(SystemCallFailure) {
    wake = try WakeUp.create()
  }

  func post(_ command: SupervisorCommand) {
    commands.withLock { $0.append(command) }
    wake.signal()
  }

  /// All commands since the last call, in order.
  func take() -> [SupervisorCommand] {
    wake.clear()
    return commands.withLock { commands in
      defer { commands = [] }
      return commands
    }
  }
}
