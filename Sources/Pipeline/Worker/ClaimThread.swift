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

/// The thread that claims: it may block on the directory, and hands jobs over as long as fewer than
/// `width` are in flight. The others wait in incoming/, for any worker, until they would be late:
/// then they are handed over to be published as text.
final class ClaimThread: Sendable {
  /// A claimed job on its way.
  struct Delivery: Sendable {
    let job: Handover<ClaimedJob>
    let isTextOnly: Bool
    /// How many manifests may be published before its own.
    let ahead: Int
  }

  let mode: WorkerMode
  let width: Int
  let directory: CurrentJobDirectory
  let meter: PublicationMeter
  let log: Log
  let wake: WakeUp
  private let inFlight = Atomic(0)
  private let textsInFlight = Atomic(0)
  private let isStopping = Atomic(false)
  /// How often it is told that descriptors, memory or disk run short.
  let shortagePace = LogPace()

  /// How soon a drained directory is noticed.
  static let pause = Duration.milliseconds(100)
  /// Texts published at once beside the jobs in flight.
  static let textWidth = 32
  /// How often all deadlines are looked at, at most.
  static let lookInterval = Duration.milliseconds(10)

  init(
    mode: WorkerMode, width: Int, directory: CurrentJobDirectory, meter: PublicationMeter, log: Log
  ) throws(SystemCallFailure) {
    self.mode = mode
    self.width = width
    self.directory = directory
    self.meter = meter
    self.log = log
    wake = try WakeUp.create()
  }

  /// Jobs as they are claimed; ends when there will be no more. A directory that cannot be read or
  /// written ends it with an error.
  func start(
    _ queue: consuming JobQueue, telling manager: ServiceManager
  ) -> AsyncThrowingStream<Delivery, any Error> {
    let handover = Handover(queue)
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Delivery.self)
    DispatchQueue(label: "claim").async {
      do throws(SystemCallFailure) {
        if let queue = handover.take() { try self.claim(queue, manager) { continuation.yield($0) } }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    return stream
  }

  /// A job that was handed over has come to its end.
  func ended(_ delivery: Delivery) {
    if delivery.isTextOnly {
      textsInFlight.subtract(1, ordering: .sequentiallyConsistent)
    } else {
      inFlight.subtract(1, ordering: .sequentiallyConsistent)
    }
    wake.signal()
  }

  func begin(isTextOnly: Bool) {
    if isTextOnly {
      textsInFlight.add(1, ordering: .sequentiallyConsistent)
    } else {
      inFlight.add(1, ordering: .sequentiallyConsistent)
    }
  }

  var jobsInFlight: Int { inFlight.load(ordering: .sequentiallyConsistent) }
  var textsInFlightCount: Int { textsInFlight.load(ordering: .sequentiallyConsistent) }
  var isStopped: Bool { isStopping.load(ordering: .sequentiallyConsistent) }

  /// No job is claimed from now on.
  func stop() {
    isStopping.store(true, ordering: .sequentiallyConsistent)
    wake.signal()
  }
}
