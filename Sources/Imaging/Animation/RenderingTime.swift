internal import Glibc
internal import Media

/// By when animations must be written: on the clock, and in processor time, which a child has little
/// of. A busy machine takes from the first alone.
struct RenderingTime: Sendable {
  let deadline: Deadline
  /// Processor time of the process at the end, in seconds.
  let processorEnd: Double

  /// Seconds of processor time for animations, of those that a child has for all.
  private static let processorSeconds = 18.0

  init(_ time: Duration) {
    deadline = .after(time)
    processorEnd = Self.processorNow + Self.processorSeconds
  }

  var hasPassed: Bool { deadline.hasPassed || Self.processorNow >= processorEnd }

  /// The corresponding C function is `clock_gettime`.
  static var processorNow: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// Whether work that has begun will end in time.
struct RenderingPace: Sendable {
  private let time: RenderingTime
  private let began = ContinuousClock.now
  private let processorBegan = RenderingTime.processorNow

  /// Nothing is judged by less, in seconds.
  private static let shortestMeasure = 0.5

  init(_ time: RenderingTime) {
    self.time = time
  }

  /// When so much of the work is done and the rest will take too long: the time left as a share of
  /// what the whole takes; nil where it will end in time.
  func share(of done: Double) -> Double? {
    let clock = share(
      done, elapsed: began.duration(to: .now) / .seconds(1),
      left: time.deadline.remaining / .seconds(1))
    let now = RenderingTime.processorNow
    let processor = share(
      done, elapsed: now - processorBegan, left: max(0, time.processorEnd - now))
    guard let clock, let processor else { return clock ?? processor }
    return min(clock, processor)
  }

  private func share(_ done: Double, elapsed: Double, left: Double) -> Double? {
    guard elapsed > Self.shortestMeasure else { return nil }
    let whole = elapsed / max(1e-6, done)
    return whole - elapsed > left ? left / whole : nil
  }
}
