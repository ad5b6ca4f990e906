import Files
import Glibc
import Pipeline

/// What claims cost, with nothing done between claim and finish.
enum ClaimTrial {
  /// Claims `count` jobs one after the other, and prints microseconds and the peak of memory.
  static func run(_ directory: JobDirectory, settings: JobQueue.Settings, count: Int) throws {
    let clock = ContinuousClock()
    let begun = clock.now
    var queue = try JobQueue.open(directory, settings: settings)
    var times: [Int] = []
    while times.count < count {
      let asked = times.isEmpty ? begun : clock.now
      guard case .job(let job)? = try queue.claimNext() else { break }
      times.append(microseconds(asked.duration(to: clock.now)))
      try job.finish(keepingPayload: false)
    }
    let first = times.first ?? 0
    let total = times.dropFirst().reduce(0, +)
    times.sort()
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    print(
      "first_us=\(first) mean_us=\(total / max(1, times.count - 1))"
        + " median_us=\(times.isEmpty ? 0 : times[times.count / 2])"
        + " p99_us=\(times.isEmpty ? 0 : times[times.count * 99 / 100])"
        + " claims=\(times.count) peak_kb=\(usage.ru_maxrss)")
  }

  private static func microseconds(_ duration: Duration) -> Int {
    Int(
      duration.components.seconds * 1_000_000 + duration.components.attoseconds / 1_000_000_000_000)
  }
}
