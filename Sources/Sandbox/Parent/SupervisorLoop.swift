internal import Files
internal import Glibc
internal import Media

/// The thread's state and its turns: commands, events, time, then work for whoever is free.
struct SupervisorLoop: ~Copyable {
  let configuration: ChildConfiguration
  let queue: CommandQueue
  var children: [Int32: Child] = [:]
  var pools: [ChildFamily: ChildPool] = [:]
  private var isStopping = false
  private var stops: [CheckedContinuation<Void, Never>] = []
  private var buffer = [UInt8](repeating: 0, count: MessageLimit.bytes + 1)

  init(_ configuration: ChildConfiguration, _ queue: CommandQueue) {
    self.configuration = configuration
    self.queue = queue
  }

  /// Turns until stopped and the last child is reaped.
  mutating func run() {
    while !(isStopping && children.isEmpty) {
      wait()
      for command in queue.take() { obey(command) }
      for child in Array(children.values) { attend(child) }
      enforceDeadlines()
      if !isStopping { serve() }
    }
    queue.close()
    for stop in stops { stop.resume() }
  }

  private mutating func obey(_ command: SupervisorCommand) {
    switch command {
    case .run(let job): accept(job)
    case .cancel(let job): cancel(job)
    case .prepare(let family): pools[family, default: ChildPool()].isActive = true
    case .posture(let family, let continuation):
      pools[family, default: ChildPool()].postures.append(continuation)
    case .census(let continuation): continuation.resume(returning: census)
    case .stop(let continuation):
      if let continuation { stops.append(continuation) }
      stop()
    }
  }

  private mutating func accept(_ job: ChildJob) {
    if job.wasCancelled { return job.finish(.failure(.cancelled)) }
    if isStopping { return job.finish(.failure(.unavailable("shutting down"))) }
    pools[job.family, default: ChildPool()].isActive = true
    pools[job.family, default: ChildPool()].add(job)
  }

  private mutating func cancel(_ job: ChildJob) {
    pools[job.family]?.remove(job)
    for child in children.values where child.job === job { end(child, .cancelled) }
    job.finish(.failure(.cancelled))
  }

  private mutating func stop() {
    isStopping = true
    for family in pools.keys { pools[family]?.giveUp(.unavailable("shutting down")) }
    for child in children.values { end(child, .unavailable("shutting down")) }
  }

  private var census: ChildCensus {
    let queued = pools.values.reduce(0) { $0 + $1.jobs.count }
    return children.values.reduce(into: ChildCensus(queuedJobs: queued)) { census, child in
      switch child.stage {
      case .starting: census.starting += 1
      case .waiting: census.waiting += 1
      case .working: census.working += 1
      case .answered, .ending: census.ending += 1
      }
    }
  }

  /// Sleeps until a command, a message, a death or the next deadline.
  private func wait() {
    let readable = Int16(POLLIN)
    var events = [pollfd(fd: queue.wake.descriptor.number, events: readable, revents: 0)]
    for child in children.values {
      events.append(pollfd(fd: child.process.pidfd.number, events: readable, revents: 0))
      if !child.isMute {
        events.append(pollfd(fd: child.process.control.number, events: readable, revents: 0))
      }
    }
    let timeout = nextDeadline?.remaining.millisecondsRoundedUp ?? -1
    _ = unsafe poll(&events, nfds_t(events.count), timeout)
  }

  private var nextDeadline: Deadline? {
    var deadlines = children.values.compactMap(\.deadline)
    for pool in pools.values {
      if let job = pool.jobs.first { deadlines.append(job.deadline) }
      if let retry = pool.retry, !retry.hasPassed { deadlines.append(retry) }
    }
    return deadlines.min()
  }

  /// Looks whether the child said something or ended.
  private mutating func attend(_ child: Child) {
    // The end first: what was said before it is still in the socket.
    let end = child.process.reap()
    listen(to: child)
    guard let end else { return }
    children[child.process.id] = nil
    conclude(child, end)
  }

  private mutating func listen(to child: Child) {
    while !child.isMute {
      switch child.process.receive(into: &buffer) {
      case .message(let bytes): hear(child, bytes)
      case .nothing: return
      case .end:
        child.isMute = true
        // Every exit closes the socket first; a child that only closes it is ended soon.
        let soon = Deadline.after(Child.timeToEnd)
        child.deadline = min(child.deadline ?? soon, soon)
      }
    }
  }

  private mutating func enforceDeadlines() {
    for child in children.values {
      guard let deadline = child.deadline, deadline.hasPassed else { continue }
      endLate(child)
    }
    for family in pools.keys {
      pools[family]?.endLate()
    }
  }
}
