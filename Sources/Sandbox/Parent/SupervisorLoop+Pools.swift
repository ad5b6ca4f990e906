internal import Files
internal import Glibc
internal import Media

/// Children for the jobs that wait, and jobs for the children that do.
extension SupervisorLoop {
  /// Feeds waiting children, then starts as many as are missing.
  mutating func serve() {
    for family in ChildFamily.allCases where pools[family] != nil {
      answerPostures(family)
      feed(family)
      refill(family)
    }
  }

  private func waitingChildren(_ family: ChildFamily) -> [(Child, SandboxPosture)] {
    children.values.compactMap { child in
      guard child.family == family, case .waiting(let posture) = child.stage else { return nil }
      return (child, posture)
    }
  }

  private mutating func answerPostures(_ family: ChildFamily) {
    guard let (_, posture) = waitingChildren(family).first else { return }
    for continuation in pools[family]?.postures ?? [] {
      continuation.resume(returning: .success(posture))
    }
    pools[family]?.postures = []
  }

  private mutating func feed(_ family: ChildFamily) {
    for (child, posture) in waitingChildren(family) {
      if configuration.mode == .required, !posture.isSufficient {
        return refuse(family, posture)
      }
      guard let job = pools[family]?.next() else { return }
      feed(child, job)
    }
  }

  /// A child that is confined too little gets no input, nor will the next be better.
  private mutating func refuse(_ family: ChildFamily, _ posture: SandboxPosture) {
    let missing = posture.missing.map(\.rawValue).joined(separator: ", ")
    pools[family]?.giveUp(.unavailable("the sandbox does not deny: \(missing) (\(posture))"))
  }

  private mutating func feed(_ child: Child, _ job: ChildJob) {
    guard child.process.limit(to: job.limits),
      child.process.send(job.request, input: job.input, output: job.output.descriptor)
    else {
      // It died while it waited and has seen nothing: the next child gets the job.
      pools[child.family]?.add(job)
      return end(child, .protocolViolation("it did not take its request"))
    }
    child.stage = .working(job)
    child.deadline = job.deadline
    pools[child.family]?.noteSuccess()
  }

  private mutating func refill(_ family: ChildFamily) {
    guard let pool = pools[family], pool.retry?.hasPassed ?? true else { return }
    let demand = pool.demand(waiting: configuration.waiting[family] ?? 0)
    let ready = children.values.count {
      $0.family == family && ($0.isStarting || $0.isWaiting)
    }
    let room = configuration.maxChildren - children.count
    for _ in 0..<max(0, min(demand - ready, room)) {
      guard start(family) else { return }
    }
  }

  /// Starts one child; false where that failed.
  private mutating func start(_ family: ChildFamily) -> Bool {
    guard let path = configuration.executable(of: family) else {
      let places = configuration.directories.joined(separator: ", ")
      pools[family]?.giveUp(.unavailable("no \(family.executableName) in \(places)"))
      return false
    }
    do throws(SystemCallFailure) {
      let child = Child(family, process: try startProcess(path))
      children[child.process.id] = child
      return true
    } catch {
      let failure = ChildFailure.unavailable("\(error)")
      if error.isPassing {
        pools[family]?.noteShortage(failure)
      } else {
        pools[family]?.noteFailure(failure)
      }
      return false
    }
  }

  private func startProcess(_ path: String) throws(SystemCallFailure) -> ChildProcess {
    let standardError =
      if configuration.showsStandardError {
        Descriptor(
          adopting: try retryingOnInterrupt("dup") { fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3) })
      } else {
        try Descriptor.open("/dev/null", flags: O_WRONLY)
      }
    return try ChildProcess.start(path, standardError: standardError)
  }
}
