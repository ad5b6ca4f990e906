internal import Files
internal import Media

extension JobQueue {
  /// Reads what was claimed. Nil when there is nothing to do for now.
  mutating func settle(
    _ attempt: consuming LeaseAttempt, _ known: Backlog.Entry?
  ) throws(SystemCallFailure) -> Claim? {
    switch consume attempt {
    case .elsewhere: return nil
    case .held:
      if let known { backlog.postpone(known, by: Self.retryInterval) }
      return nil
    case .unusable(let reason):
      guard let name = known?.name else { return nil }
      try directory.bury(name, because: reason)
      return .settled(
        SettledJob(
          name: name.text, identifier: JobIdentifier(stem: name.stem),
          outcome: .failed(Payload.unreadable(reason))))
    case .taken(let lease):
      guard lease.name.attempt <= settings.mostAttempts + settings.mostReports else {
        let name = lease.name
        return try fail(lease, identifier: name.fallbackIdentifier, crashes(name))
      }
      return try read(lease, known)
    }
  }

  private mutating func read(
    _ lease: consuming Lease, _ known: Backlog.Entry?
  ) throws(SystemCallFailure) -> Claim? {
    let status = try lease.file.fileStatus()
    let payload: Payload
    do throws(Problem) {
      payload = try Self.payload(lease.file, status, fileExtension: lease.name.fileExtension)
    } catch {
      let age = Timestamp(nanoseconds: status.modified).duration(to: .now)
      if error.code == .unreadablePayload, age < Self.settlingTime, age >= .zero,
        let name = lease.name.originalName, lease.name.publication == nil
      {
        let entry = Backlog.Entry(
          name: name, delivered: lease.name.delivered, size: status.size, isComplete: false)
        try directory.handBack(lease)
        backlog.postpone(known ?? entry, by: Self.retryInterval)
        return nil
      }
      let identifier = lease.name.fallbackIdentifier
      return try fail(lease, identifier: identifier, error)
    }
    guard
      let identifier = payload.id.flatMap({ JobIdentifier($0) }) ?? lease.name.fallbackIdentifier
    else { return try fail(lease, identifier: nil, Payload.unreadable("it has no usable id")) }
    return try claim(lease, identifier: identifier, payload: payload)
  }

  private func claim(
    _ lease: consuming Lease, identifier: JobIdentifier, payload: Payload
  ) throws(SystemCallFailure) -> Claim? {
    if lease.name.publication != nil {
      switch try directory.resumePublication(&lease, of: identifier) {
      case .published: return try finish(lease, identifier: identifier, .published)
      case .superseded: return try finish(lease, identifier: identifier, .superseded)
      case .mustBeDoneAgain: break
      }
    }
    let attempt = lease.name.attempt
    let task: ClaimedJob.Task =
      attempt > settings.mostAttempts
      ? .reportCrashes(attempts: attempt - 1) : .work
    return .job(
      ClaimedJob(
        identifier: identifier, payload: payload,
        timing: JobTiming(
          arrival: lease.name.arrival, payload: payload, policy: settings.timing),
        task: task, attempt: attempt, directory: directory, lease: lease))
  }

  private func finish(
    _ lease: consuming Lease, identifier: JobIdentifier, _ outcome: SettledJob.Outcome
  ) throws(SystemCallFailure) -> Claim? {
    let name = lease.name.payloadName
    if case .superseded = outcome {
      try directory.finishSuperseded(lease, of: identifier, keepingPayload: settings.keepsDone)
    } else {
      try directory.finish(lease, keepingPayload: settings.keepsDone)
    }
    return .settled(SettledJob(name: name, identifier: identifier, outcome: outcome))
  }

  private func fail(
    _ lease: consuming Lease, identifier: JobIdentifier?, _ problem: Problem
  ) throws(SystemCallFailure) -> Claim? {
    let name = lease.name.payloadName
    do throws(SystemCallFailure) {
      try directory.bury(lease, identifier: identifier, problem: problem)
    } catch {
      // A full disk is no attempt of the job.
      if error.isPassing { try? directory.handBack(lease) }
      throw error
    }
    return .settled(SettledJob(name: name, identifier: identifier, outcome: .failed(problem)))
  }

  private func crashes(_ name: ActiveName) -> Problem {
    Problem(
      .intake, .workerCrashed, "its worker died \(name.attempt - 1) times while it was handled")
  }

  /// Reads and checks an open payload; what the disk does not give counts as unreadable.
  static func payload(
    _ file: borrowing Descriptor, _ status: FileStatus, fileExtension: String
  ) throws(Problem) -> Payload {
    let bytes: [UInt8]
    guard status.size <= Payload.mostBytes else { throw Payload.tooLarge(bytes: status.size) }
    do throws(SystemCallFailure) { bytes = try file.read(at: 0, count: status.size) } catch {
      throw Payload.unreadable("\(error)")
    }
    return try Payload.read(bytes, fileExtension: fileExtension)
  }
}
