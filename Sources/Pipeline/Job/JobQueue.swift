package import Files
package import Media

/// Which job is next: the earliest deadline among the oldest payloads known, and before them what
/// dead workers left behind. It knows a bounded number of names however many wait.
package struct JobQueue: ~Copyable, Sendable {
  package struct Settings: Sendable {
    package var timing = JobTiming.Policy()
    /// Names known at a time.
    package var mostKnown = 4096
    /// Names looked at in one reading of a large backlog.
    package var mostScanned = 65_536
    /// Names of it looked at for one claim: work begins while the reading goes on.
    package var scanStep = 256
    /// How often a job may take its worker down.
    package var mostAttempts = 3
    /// How often the report of these crashes is tried, should the worker die of something else just
    /// then. A payload that still takes it down cannot be read.
    package var mostReports = 8
    /// Whether finished payloads stay in done/.
    package var keepsDone = true
    /// How often the directory is read even though nothing was announced.
    package var rescanInterval = Duration.seconds(5)
    /// How often active/ is searched for jobs of dead workers.
    package var recoveryInterval = Duration.milliseconds(500)

    package init() {}
  }

  /// A payload that is younger than this when it does not parse may still be in writing.
  static let settlingTime = Duration.seconds(2)
  static let retryInterval = Duration.milliseconds(200)
  /// How long it must have been quiet before folders are made anew.
  private static let displacementPause = Duration.milliseconds(250)

  package private(set) var directory: JobDirectory
  package let settings: Settings
  /// No job's time counts from before its worker could see it.
  package let startedAt: Timestamp
  private(set) var watch: DirectoryWatch
  var backlog = Backlog()
  var line = JobLine()
  var orphans = Orphans()
  /// When to look whether the directory is in its place.
  private var nextPlaceLook = ContinuousClock.now

  private init(
    directory: JobDirectory, settings: Settings, startedAt: Timestamp,
    watch: consuming DirectoryWatch
  ) {
    self.directory = directory
    self.settings = settings
    self.startedAt = startedAt
    self.watch = watch
  }

  package static func open(
    _ directory: JobDirectory, settings: Settings = Settings(), startedAt: Timestamp = .now
  ) throws(SystemCallFailure) -> JobQueue {
    JobQueue(
      directory: directory, settings: settings, startedAt: startedAt,
      watch: try DirectoryWatch.watch(directory.incoming, in: directory.root))
  }

  /// Whether to look if the directory is in its place.
  package var isPlaceLookDue: Bool { nextPlaceLook <= .now }

  /// Looks whether the directory and its folders are in their places, and goes on with those that are
  /// there now where they are not.
  package mutating func settle() -> JobPlace {
    nextPlaceLook = .now.advanced(by: settings.rescanInterval)
    let place = directory.place()
    guard case .changed(let new, _) = place else { return place }
    do throws(SystemCallFailure) {
      watch = try DirectoryWatch.watch(new.incoming, in: new.root)
    } catch {
      return .missing(error)
    }
    directory = new
    backlog = Backlog()
    line = JobLine()
    orphans = Orphans()
    return place
  }

  /// Whether folders that are gone are why something failed; then they are to be looked at.
  package mutating func isDisplaced() -> Bool {
    guard !directory.displaced.isEmpty else { return false }
    nextPlaceLook = .now
    return true
  }

  /// Whoever removes a directory with all that is in it is not to find new folders in it meanwhile.
  mutating func noteDisplacement() {
    nextPlaceLook = .now.advanced(by: Self.displacementPause)
  }

  /// Waits until there may be something to claim, at most as long as told.
  package borrowing func wait(upTo duration: Duration) throws(SystemCallFailure) {
    let duration = min(duration, timeUntilNextLook)
    try watch.wait(milliseconds: duration.millisecondsRoundedUp)
  }

  /// The same, or until it is woken.
  package borrowing func wait(
    upTo duration: Duration, or wake: borrowing WakeUp
  ) throws(SystemCallFailure) {
    let duration = min(duration, timeUntilNextLook)
    try watch.wait(
      milliseconds: duration.millisecondsRoundedUp, or: wake.descriptor.number)
  }

  /// The time after which `claimNext` may find something that nobody announces.
  package var timeUntilNextLook: Duration {
    if backlog.unscanned > 0 { return .zero }
    let next = [
      backlog.nextScan, backlog.nextRetry, line.nextLook, orphans.nextScan, orphans.nextRecovery,
    ].compactMap { $0 }.min()
    return next.map { max(.zero, ContinuousClock.now.duration(to: $0)) } ?? .zero
  }

  /// Names in incoming/ that no job can be made of, each once.
  package mutating func takeForeignNames() -> [String] { backlog.takeForeignNames() }

  /// What `claimNext` has found.
  package enum Claim: ~Copyable, Sendable {
    case job(ClaimedJob)
    /// A job that needs no work any more, for the log.
    case settled(SettledJob)
  }

  /// Claims the next job, nil when there is none now; `deliveredBy` leaves later ones alone.
  package mutating func claimNext(
    deliveredBy latest: Timestamp? = nil
  ) throws(SystemCallFailure) -> Claim? {
    try takeInNews()
    try orphans.look(in: directory, every: settings.recoveryInterval)
    while let name = orphans.takeReady() {
      if let claim = try settle(try directory.recover(name, startedAt: startedAt), nil) {
        return claim
      }
    }
    while let known = try takeNext(deliveredBy: latest) {
      let attempt = try claim(known)
      if let claim = try settle(attempt, known) { return claim }
    }
    return nil
  }

  /// What cannot be claimed for want of space or descriptors is tried again soon.
  private mutating func claim(_ known: Backlog.Entry) throws(SystemCallFailure) -> LeaseAttempt {
    do throws(SystemCallFailure) {
      return try directory.claim(known.name, startedAt: startedAt)
    } catch {
      if error.isPassing { backlog.postpone(known, by: Self.retryInterval) }
      throw error
    }
  }
}

/// A job that came to its end without a worker's doing.
package struct SettledJob: Sendable, Hashable {
  package enum Outcome: Sendable, Hashable {
    /// It went to failed/.
    case failed(Problem)
    /// Its publication, begun by a worker that died, is complete.
    case published
    /// A later job of the same id had been published before.
    case superseded
  }

  /// The name it had in incoming/.
  package let name: String
  package let identifier: JobIdentifier?
  package let outcome: Outcome
}
