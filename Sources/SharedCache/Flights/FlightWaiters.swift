internal import Files
internal import Glibc
internal import Media

/// By when other processes want a flight to have ended, in its lock's file behind the byte that says
/// that it has begun: nanoseconds of the clock that all processes of a boot have in common.
///
/// Whoever waits writes, and nobody is kept from it: what is lost where two write at once is only that
/// somebody is in a hurry.
enum FlightWaiters {
  private static let offset = 8
  private static let length = 8

  static func note(_ deadline: Deadline, in lock: borrowing Descriptor) {
    if let known = earliest(in: lock), known <= deadline { return }
    let (seconds, attoseconds) = deadline.remaining.components
    let (left, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return }
    let (time, isTooLate) = now.addingReportingOverflow(left + attoseconds / 1_000_000_000)
    guard !isTooLate else { return }
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: time >> (8 * $0)) }
    // The flight's end removes the file; the next one's holder empties it.
    _ = unsafe bytes.withUnsafeBytes { unsafe pwrite(lock.number, $0.baseAddress, length, offset) }
  }

  /// Nil where nobody has written, or what is there makes no sense.
  static func earliest(in lock: borrowing Descriptor) -> Deadline? {
    guard let bytes = try? lock.read(at: offset, count: length), bytes.count == length else {
      return nil
    }
    let time = bytes.indices.reduce(Int64(0)) { $0 | Int64(bytes[$1]) << (8 * $1) }
    let (left, overflow) = time.subtractingReportingOverflow(now)
    guard time > 0, !overflow else { return nil }
    return .after(.nanoseconds(left))
  }

  private static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
