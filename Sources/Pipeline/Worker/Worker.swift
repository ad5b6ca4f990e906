internal import Files
internal import Media
internal import Synchronization

/// Consumes a job directory: claims, runs as many jobs at once as told, stops when asked.
package final class Worker: Sendable {
  private let directory: CurrentJobDirectory
  private let runner: JobRunner
  private let claims: ClaimThread
  private let settings: JobQueue.Settings
  private let housekeeper: Housekeeper
  private let log: Log
  private let stopping = Mutex<Stop>(Stop())

  private struct Stop {
    var running: [Int: Task<Void, Never>] = [:]
    var last = 0
    var isImmediate = false
  }

  init(
    directory: CurrentJobDirectory, runner: JobRunner, settings: JobQueue.Settings,
    mode: WorkerMode,
    width: Int, housekeeper: Housekeeper, log: Log
  ) throws(SystemCallFailure) {
    self.directory = directory
    self.runner = runner
    self.settings = settings
    self.housekeeper = housekeeper
    self.log = log
    claims = try ClaimThread(
      mode: mode, width: width, directory: directory, meter: runner.meter, log: log)
  }

  /// What is asked for beside the jobs.
  var besides: [Revalidations] {
    let fetch = runner.pipeline.attach.fetch
    return [fetch.revalidations, fetch.lateDownloads?.running].compactMap { $0 }
  }

  /// Works until its mode, or `stop`, says that it is over. Throws when the job directory cannot be
  /// read or written; one that is gone is waited for, of which the service manager is told.
  package func run(telling manager: ServiceManager) async throws {
    let queue = try JobQueue.open(directory.value, settings: settings)
    let jobs = claims.start(queue, telling: manager)
    let housekeeping = Task { await housekeeper.run() }
    defer { housekeeping.cancel() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      // Tasks of another priority have threads of their own: what is due to be published is never
      // behind the work of other jobs.
      group.addTask(priority: .high) { try await self.take(jobs) }
      try await group.waitForAll()
    }
  }

  private func take(
    _ jobs: AsyncThrowingStream<ClaimThread.Delivery, any Error>
  ) async throws {
    try await withThrowingDiscardingTaskGroup { group in
      for try await delivery in jobs {
        group.addTask { await self.work(delivery) }
      }
    }
  }

  /// Claims no more; what is active is finished within `grace`, or handed back.
  package func stop(grace: Duration) async {
    claims.stop()
    log.info("stopping: finishing what is active within \(grace.contractText)")
    try? await Task.sleep(for: grace)
    stopNow()
  }

  /// Claims no more, and hands back what is active.
  package func stopNow() {
    claims.stop()
    let running = stopping.withLock { stop in
      stop.isImmediate = true
      return Array(stop.running.values)
    }
    for task in running { task.cancel() }
  }

  /// Runs one job in a task of its own, so that a stop can end it without ending the worker's own
  /// bookkeeping.
  private func work(_ delivery: ClaimThread.Delivery) async {
    defer { claims.ended(delivery) }
    let task = Task {
      guard let job = delivery.job.take() else { return }
      if delivery.isTextOnly {
        await runner.runLate(job)
      } else {
        await runner.run(job, ahead: delivery.ahead)
      }
    }
    let ticket = stopping.withLock { stop in
      stop.last += 1
      stop.running[stop.last] = task
      if stop.isImmediate { task.cancel() }
      return stop.last
    }
    await task.value
    stopping.withLock { $0.running[ticket] = nil }
  }
}
