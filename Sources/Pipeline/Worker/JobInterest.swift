internal import Files
internal import Media
internal import Synchronization

/// Whether a job in progress is still wanted: while its payload lies in active/, and no later one
/// of its id is being worked on here or has been published by anyone.
struct JobInterest: Sendable {
  enum Loss: Error, Sendable {
    /// Somebody removed the payload.
    case cancelled
    /// The later payload, as it was delivered.
    case superseded(by: DeliveryOrder)
  }

  private enum Event<Value: Sendable>: Sendable {
    case done(Value)
    case lost(Loss)
    /// The task was cancelled.
    case over
  }

  private let directory: JobDirectory
  private let name: String
  private let inode: UInt64
  private let identifier: JobIdentifier
  private let order: DeliveryOrder
  private let running: RunningJobs

  private static let lookInterval = Duration.milliseconds(100)

  init(_ job: borrowing ClaimedJob, among running: RunningJobs) {
    directory = job.directory
    name = job.lease.name.text
    inode = job.lease.inode
    identifier = job.identifier
    order = job.order
    self.running = running
  }

  /// Runs `work`, which is cancelled when its job is no longer wanted; returns when it has ended.
  func whileItLasts<Value: Sendable>(
    _ work: @escaping @Sendable () async -> Value
  ) async throws(Loss) -> Value? {
    running.begin(identifier, order)
    defer { running.end(identifier, order) }
    let result: Result<Value?, Loss> = await withTaskGroup(of: Event<Value>.self) { group in
      group.addTask { .done(await work()) }
      group.addTask { await watch() }
      var loss: Loss?
      while let event = await group.next() {
        switch event {
        case .over: continue
        case .lost(let reason):
          loss = reason
          group.cancelAll()
        case .done(let value):
          group.cancelAll()
          return loss.map { .failure($0) } ?? .success(value)
        }
      }
      return .success(nil)
    }
    return try result.get()
  }

  private func watch<Value: Sendable>() async -> Event<Value> {
    while (try? await Task.sleep(for: Self.lookInterval)) != nil {
      if let loss { return .lost(loss) }
    }
    return .over
  }

  /// A directory that cannot be read just now takes nothing away.
  private var loss: Loss? {
    do throws(SystemCallFailure) {
      guard try directory.active.status(of: name)?.inode == inode else { return .cancelled }
      if let later = running.later(identifier, than: order) { return .superseded(by: later) }
      let published = try directory.generationRecord(of: identifier)?.order
      return published.flatMap { $0 > order ? .superseded(by: $0) : nil }
    } catch {
      return nil
    }
  }
}

/// The jobs that this process works on.
final class RunningJobs: Sendable {
  private let orders = Mutex<[JobIdentifier: [DeliveryOrder]]>([:])

  func begin(_ identifier: JobIdentifier, _ order: DeliveryOrder) {
    orders.withLock { $0[identifier, default: []].append(order) }
  }

  func end(_ identifier: JobIdentifier, _ order: DeliveryOrder) {
    orders.withLock { orders in
      let others = (orders[identifier] ?? []).filter { $0 != order }
      orders[identifier] = others.isEmpty ? nil : others
    }
  }

  var count: Int { orders.withLock { $0.values.reduce(0) { $0 + $1.count } } }

  /// The latest job of the id, where that is later.
  func later(_ identifier: JobIdentifier, than order: DeliveryOrder) -> DeliveryOrder? {
    orders.withLock { $0[identifier]?.max() }.flatMap { $0 > order ? $0 : nil }
  }
}
