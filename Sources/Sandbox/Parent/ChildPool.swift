internal import Media

/// The jobs of one family that wait for a child, and what its children's starts taught.
struct ChildPool {
  typealias PostureContinuation = CheckedContinuation<Result<SandboxPosture, ChildFailure>, Never>

  /// Earliest deadline first.
  private(set) var jobs: [ChildJob] = []
  var postures: [PostureContinuation] = []
  /// Whether children are kept waiting: from the first job or an explicit wish on.
  var isActive = false
  private var failures = 0
  /// What kept the last child from being started, where that passes.
  private var shortage: ChildFailure?
  private(set) var retry: Deadline?

  /// How many children should be ready or on their way, where `waiting` are kept ready. Asking for
  /// the posture uses no child up.
  func demand(waiting: Int) -> Int {
    max(jobs.count + (isActive ? waiting : 0), postures.isEmpty ? 0 : 1)
  }

  mutating func add(_ job: ChildJob) {
    let index = jobs.firstIndex { $0.deadline > job.deadline } ?? jobs.endIndex
    jobs.insert(job, at: index)
  }

  mutating func next() -> ChildJob? {
    jobs.isEmpty ? nil : jobs.removeFirst()
  }

  mutating func remove(_ job: ChildJob) {
    jobs.removeAll { $0 === job }
  }

  /// Ends the jobs whose time has run out.
  mutating func endLate() {
    let late = jobs.prefix { $0.deadline.hasPassed }
    jobs.removeFirst(late.count)
    for job in late { job.finish(.failure(shortage ?? .timedOut)) }
  }

  /// A child served: starts are fine again.
  mutating func noteSuccess() {
    failures = 0
    retry = nil
    shortage = nil
  }

  /// A start failed, or a child died before it was fed: the next try comes later each time. After
  /// some in a row those who wait are told.
  mutating func noteFailure(_ failure: ChildFailure) {
    failures += 1
    retry = .after(.milliseconds(25 << min(failures, 8)))
    if failures >= 3 { giveUp(failure) }
  }

  /// Processes or memory ran short, which passes: jobs wait for as long as they have time, and who
  /// asks whether children can be started at all is told after some tries.
  mutating func noteShortage(_ failure: ChildFailure) {
    failures += 1
    shortage = failure
    retry = .after(.milliseconds(25 << min(failures, 4)))
    guard failures >= 8 else { return }
    for posture in postures { posture.resume(returning: .failure(failure)) }
    postures = []
  }

  /// Tells everybody who waits.
  mutating func giveUp(_ failure: ChildFailure) {
    for job in jobs { job.finish(.failure(failure)) }
    for posture in postures { posture.resume(returning: .failure(failure)) }
    (jobs, postures) = ([], [])
  }
}
