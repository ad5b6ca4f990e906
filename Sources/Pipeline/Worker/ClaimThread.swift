internal import Dispatch
internal import Files
internal import Glibc
internal import Media
internal import Synchronization

/// When a worker ends.
package enum WorkerMode: Sendable, Hashable {
  case untilStopped
  /// After what was there when it started.
  case once
  /// When nothing is incoming or active.
  case drain
}

/// The thread that claims: it may block on the directory, and hands each job over as long as fewer
/// than `width` are in flight.
final class ClaimThread: Sendable {
  private let mode: WorkerMode
  private let log: Log
  private let slots: DispatchSemaphore
  private let inFlight = Atomic(0)
  private let isStopping = Atomic(false)

  /// How soon a stop is noticed, and how soon a drained directory.
  private static let pause = Duration.milliseconds(100)

  init(mode: WorkerMode, width: Int, log: Log) {
    self.mode = mode
    self.log = log
    // From 0 up: libdispatch ends a process that frees a semaphore below its first value.
    slots = DispatchSemaphore(value: 0)
    for _ in 0..<width { slots.signal() }
  }

  /// Jobs as they are claimed; ends when there will be no more. A directory that cannot be read or
  /// written ends it with an error.
  func start(
    _ queue: consuming JobQueue
  ) -> AsyncThrowingStream<Handover<ClaimedJob>, any Error> {
    let handover = Handover(queue)
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Handover<ClaimedJob>.self)
    DispatchQueue(label: "claim").async {
      do throws(SystemCallFailure) {
        if let queue = handover.take() { try self.claim(queue) { continuation.yield($0) } }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    return stream
  }

  /// A job that was handed over has come to its end.
  func jobEnded() {
    inFlight.subtract(1, ordering: .sequentiallyConsistent)
    slots.signal()
  }

  /// No job is claimed from now on.
  func stop() {
    isStopping.store(true, ordering: .sequentiallyConsistent)
    slots.signal()
  }

  private func claim(
    _ queue: consuming JobQueue, _ deliver: (Handover<ClaimedJob>) -> Void
  ) throws(SystemCallFailure) {
    var queue = queue
    let latest: Timestamp? = mode == .once ? .now : nil
    while true {
      slots.wait()
      if isStopping.load(ordering: .sequentiallyConsistent) { return }
      defer { tellForeign(&queue) }
      switch try claimNext(&queue, deliveredBy: latest) {
      case .some(.job(let job)):
        inFlight.add(1, ordering: .sequentiallyConsistent)
        deliver(Handover(job))
      case .some(.settled(let job)):
        slots.signal()
        tell(job)
      case .none:
        slots.signal()
        if try isDone(queue) { return }
        try queue.wait(upTo: Self.pause)
      }
    }
  }

  /// The next claim; nil also while descriptors, memory or disk run short, which passes.
  private func claimNext(
    _ queue: inout JobQueue, deliveredBy latest: Timestamp?
  ) throws(SystemCallFailure) -> JobQueue.Claim? {
    do throws(SystemCallFailure) {
      return try queue.claimNext(deliveredBy: latest)
    } catch {
      guard error.isPassing else { throw error }
      log.warning("no job can be claimed for now: \(error)")
      usleep(200_000)
      return nil
    }
  }

  private func isDone(_ queue: borrowing JobQueue) throws(SystemCallFailure) -> Bool {
    switch mode {
    case .untilStopped: false
    case .once: true
    case .drain:
      inFlight.load(ordering: .sequentiallyConsistent) == 0 ? try !queue.directory.hasWork() : false
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
