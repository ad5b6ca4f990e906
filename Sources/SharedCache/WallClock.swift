internal import Glibc

/// The time of day that HTTP dates speak of.
package enum WallClock {
  /// Milliseconds since 1970. The corresponding C function is `clock_gettime(CLOCK_REALTIME)`.
  package static func now() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

extension Int64 {
  /// The sum, kept at the bounds where it would not fit.
  func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    guard overflow else { return sum }
    return other > 0 ? .max : .min
  }

  /// The full hour (UTC) before a time in milliseconds.
  var flooredToHour: Int64 { self - self % 3_600_000 }
}
