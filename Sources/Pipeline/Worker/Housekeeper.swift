internal import Files
internal import Media
internal import SharedCache

/// What a worker does beside its jobs: sweeps the job directory, keeps the cache within its limits.
package struct Housekeeper: Sendable {
  private let directory: CurrentJobDirectory
  private let keeping: Janitor.Settings
  private let cache: SharedCache
  private let meter: PublicationMeter
  private let decoding: DecodeMeter
  private let log: Log
  private let blocking = BlockingCalls(label: "housekeeping")

  private static let cacheInterval = Duration.seconds(10)
  /// In cache intervals.
  private static let sweepInterval = 30

  init(
    directory: CurrentJobDirectory, keeping: Janitor.Settings, cache: SharedCache,
    meter: PublicationMeter, decoding: DecodeMeter, log: Log
  ) {
    self.directory = directory
    self.keeping = keeping
    self.cache = cache
    self.meter = meter
    self.decoding = decoding
    self.log = log
  }

  /// Runs until the task is cancelled; begins at once.
  func run() async {
    var round = 0
    while !Task.isCancelled {
      let isSweepDue = round % Self.sweepInterval == 0
      await blocking.run {
        keepCache()
        KeptCosts(directory.value).write(meter.cost, decoding.costs)
        if isSweepDue { sweep() }
      }
      round += 1
      try? await Task.sleep(for: Self.cacheInterval)
    }
  }

  private func keepCache() {
    let refused = cache.takeRefused()
    if refused > 0 {
      log.warning(
        "\(refused) files were not kept: the cache is full of what may not be evicted yet,"
          + " or the disk of other things")
    }
    do throws(CacheFailure) {
      guard let report = try cache.housekeep() else { return }
      if report.evicted > 0 {
        log.info("evicted \(report.evicted) files, \(ByteCount.text(report.bytes))")
      }
      if !report.limitsHold {
        log.warning(
          "the cache is above its limits: \(ByteCount.text(report.remaining)), of which"
            + " \(ByteCount.text(report.publishedBytes)) published")
      }
    } catch {
      log.warning("cache: \(error)")
    }
  }

  private func sweep() {
    do throws(SystemCallFailure) {
      let sweep = try Janitor(directory.value, settings: keeping).sweep()
      if sweep != Janitor.Sweep() {
        log.info(
          "swept \(sweep.payloads) payloads, \(sweep.results) results,"
            + " \(sweep.temporaries) temporaries")
      }
    } catch {
      log.warning("sweeping: \(error)")
    }
  }
}
