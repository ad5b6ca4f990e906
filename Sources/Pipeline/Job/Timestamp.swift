internal import Glibc

/// An instant of the wall clock, in nanoseconds since 1970 (UTC, without leap seconds).
package struct Timestamp: Sendable, Hashable, Comparable {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The corresponding C function is `clock_gettime(CLOCK_REALTIME)`.
  package static var now: Timestamp {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// Milliseconds since 1970, rounded down.
  package var milliseconds: Int64 {
    (nanoseconds - (nanoseconds % 1_000_000 + 1_000_000) % 1_000_000) / 1_000_000
  }

  package init(milliseconds: Int64) {
    nanoseconds = milliseconds.multipliedReportingOverflow(by: 1_000_000).partialValue
  }

  /// The instant later by `duration`, kept within range.
  package func advanced(by duration: Duration) -> Timestamp {
    let (seconds, attoseconds) = duration.components
    let (whole, first) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (length, second) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    let (sum, third) = nanoseconds.addingReportingOverflow(length)
    guard !first, !second, !third else {
      return Timestamp(nanoseconds: duration < .zero ? .min : .max)
    }
    return Timestamp(nanoseconds: sum)
  }

  /// The time from this instant to another.
  package func duration(to other: Timestamp) -> Duration {
    .nanoseconds(other.nanoseconds.subtractingReportingOverflow(nanoseconds).partialValue)
  }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}
