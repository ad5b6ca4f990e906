/// How a command ends (contract §1).
enum ExitCode: Int32, Sendable {
  case done = 0
  /// At least one input was refused or failed; the others were still done.
  case inputFailed = 1
  case usage = 2
  /// The environment is at fault: directory, sandbox, queue.
  case environment = 3
  /// `submit --wait` gave up waiting.
  case waitTimedOut = 4
}
