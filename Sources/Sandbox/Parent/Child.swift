internal import Media

/// A child in the supervisor's eyes.
final class Child {
  enum Stage {
    /// Linking, warming up, locking itself in.
    case starting
    /// Confined, not yet fed.
    case waiting(SandboxPosture)
    /// Fed; it has until the job's deadline.
    case working(ChildJob)
    /// Its one answer is in; dismissed, not yet reaped.
    case answered(ChildJob, [UInt8], ChildPeaks?)
    /// Killed, or its job lost; not yet reaped.
    case ending
  }

  /// What a child has for ending, once it has nothing more to do: giving back a gigabyte takes a
  /// tenth of a second, a machine under load more.
  static let timeToEnd = Duration.seconds(3)

  let family: ChildFamily
  let process: ChildProcess
  var stage = Stage.starting
  /// When it is killed, whatever it does; nil while it may wait.
  var deadline: Deadline?
  /// Whether it closed its end of the control socket.
  var isMute = false

  init(_ family: ChildFamily, process: ChildProcess) {
    self.family = family
    self.process = process
    // A start takes milliseconds; on a machine under load more.
    self.deadline = .after(.seconds(10))
  }

  var isStarting: Bool {
    if case .starting = stage { true } else { false }
  }

  var isWaiting: Bool {
    if case .waiting = stage { true } else { false }
  }

  var job: ChildJob? {
    switch stage {
    case .working(let job), .answered(let job, _, _): job
    case .starting, .waiting, .ending: nil
    }
  }
}
