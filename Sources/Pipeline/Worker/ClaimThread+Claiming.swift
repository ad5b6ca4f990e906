internal import Files
internal import Glibc
internal import Media

extension ClaimThread {
  /// What the next claim is for.
  private enum Next {
    case work, text
    /// Every place is taken, and nothing has to be published for so long.
    case wait(Duration)
  }

  func claim(
    _ queue: consuming JobQueue, _ manager: ServiceManager, _ deliver: (Delivery) -> Void
  ) throws(SystemCallFailure) {
    var queue = queue
    let latest: Timestamp? = mode == .once ? .now : nil
    while !isStopped {
      defer { tellForeign(&queue) }
      if queue.isPlaceLookDue { try settle(&queue, manager) }
      do throws(SystemCallFailure) {
        if try claimOnce(&queue, deliveredBy: latest, deliver) { return }
      } catch {
        // Whatever fails in a directory that is gone does not in the one that takes its place.
        guard queue.isDisplaced() else { throw error }
      }
    }
  }

  /// Claims a job, or waits a little; true when there will be no more.
  private func claimOnce(
    _ queue: inout JobQueue, deliveredBy latest: Timestamp?, _ deliver: (Delivery) -> Void
  ) throws(SystemCallFailure) -> Bool {
    let next = try next(&queue, deliveredBy: latest)
    if case .wait(let duration) = next {
      try queue.wait(upTo: duration, or: wake)
      wake.clear()
      return false
    }
    switch try claimNext(&queue, deliveredBy: latest) {
    case .some(.job(let job)): deliver(delivery(job, next, waiting: queue.waitingCount))
    case .some(.settled(let job)): tell(job)
    case .none:
      if try isDone(&queue) { return true }
      try queue.wait(upTo: Self.pause, or: wake)
      wake.clear()
    }
    return false
  }

  /// Goes on with the folders that have their names now. A service waits for a job directory that is
  /// gone; whoever has to come to an end does not.
  private func settle(
    _ queue: inout JobQueue, _ manager: ServiceManager
  ) throws(SystemCallFailure) {
    var isWaiting = false
    while !isStopped {
      switch queue.settle() {
      case .same:
        if isWaiting { tellBack(queue.directory, [], manager) }
        return
      case .changed(let new, let folders):
        directory.value = new
        return tellBack(new, folders, manager)
      case .missing(let failure):
        guard mode == .untilStopped else { throw failure }
        if !isWaiting {
          log.error("the job directory cannot be used: \(failure); waiting for it")
          manager.tellWaiting(for: queue.directory.path)
          isWaiting = true
        }
        usleep(200_000)
      }
    }
  }

  private func tellBack(_ directory: JobDirectory, _ folders: [String], _ manager: ServiceManager) {
    let isWhole = folders.isEmpty || folders.contains("")
    let names = folders.map { "\($0)/" }.joined(separator: ", ")
    log.warning(
      "\(isWhole ? "the job directory" : names) was removed or replaced:"
        + " going on in \(directory.path) as it is now")
    manager.tellReady()
  }

  private func next(
    _ queue: inout JobQueue, deliveredBy latest: Timestamp?
  ) throws(SystemCallFailure) -> Next {
    let isRoom = jobsInFlight < meter.cost.carried(of: width)
    guard let start = try latestStart(&queue, deliveredBy: latest) else {
      return isRoom ? .work : .wait(Self.pause)
    }
    let now = Timestamp.now
    guard start <= now else {
      return isRoom
        ? .work : .wait(min(Self.pause, max(Self.lookInterval, now.duration(to: start))))
    }
    return textsInFlightCount < Self.textWidth ? .text : .wait(Self.pause)
  }

  /// While descriptors, memory or disk run short nothing is known, which passes.
  private func latestStart(
    _ queue: inout JobQueue, deliveredBy latest: Timestamp?
  ) throws(SystemCallFailure) -> Timestamp? {
    do throws(SystemCallFailure) {
      return try queue.latestStart(
        meter.cost, ahead: jobsInFlight + textsInFlightCount, deliveredBy: latest)
    } catch {
      guard error.isPassing else { throw error }
      return nil
    }
  }

  private func delivery(_ job: consuming ClaimedJob, _ next: Next, waiting: Int) -> Delivery {
    let isTextOnly = if case .text = next { true } else { false }
    let ahead = jobsInFlight + textsInFlightCount + min(waiting, Self.textWidth)
    begin(isTextOnly: isTextOnly)
    return Delivery(job: Handover(job), isTextOnly: isTextOnly, ahead: ahead)
  }

  /// The next claim; nil also while descriptors, memory or disk run short, which passes.
  private func claimNext(
    _ queue: inout JobQueue, deliveredBy latest: Timestamp?
  ) throws(SystemCallFailure) -> JobQueue.Claim? {
    do throws(SystemCallFailure) {
      return try queue.claimNext(deliveredBy: latest)
    } catch {
      guard error.isPassing else { throw error }
      log.warning("no job can be claimed for now: \(error)", at: shortagePace)
      usleep(200_000)
      return nil
    }
  }

  private func isDone(_ queue: inout JobQueue) throws(SystemCallFailure) -> Bool {
    switch mode {
    case .untilStopped: return false
    case .once: return true
    case .drain:
      guard jobsInFlight + textsInFlightCount == 0, try !queue.directory.hasWork() else {
        return false
      }
      // Folders that are gone hold nothing, which is no end of the work.
      return !queue.isDisplaced()
    }
  }

  private func tellForeign(_ queue: inout JobQueue) {
    for name in queue.takeForeignNames() {
      log.warning(
        "incoming/\(FileName.shown(name)): \(PayloadFileName.refusalOfExtension); it is left alone")
    }
  }

  private func tell(_ job: SettledJob) {
    let log = log.about(job: job.identifier?.text ?? FileName.shown(job.name))
    switch job.outcome {
    case .failed(let problem): log.error("failed \(problem.code.rawValue): \(problem.message)")
    case .published: log.info("published by a worker that died; finished")
    case .superseded: log.info("superseded by a later payload of its id")
    }
  }
}
