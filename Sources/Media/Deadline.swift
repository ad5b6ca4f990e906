/// The instant by which a stage must have ended, on a clock that never jumps.
package struct Deadline: Sendable, Hashable, Comparable {
  package let instant: ContinuousClock.Instant

  package init(_ instant: ContinuousClock.Instant) {
    self.instant = instant
  }

  /// The deadline that lies `duration` from now.
  package static func after(_ duration: Duration) -> Deadline {
    Deadline(ContinuousClock.now.advanced(by: duration))
  }

  /// The time left, never negative.
  package var remaining: Duration { max(.zero, ContinuousClock.now.duration(to: instant)) }

  package var hasPassed: Bool { ContinuousClock.now >= instant }

  /// The same deadline with `reserve` kept back for what comes after.
  package func reserving(_ reserve: Duration) -> Deadline {
    Deadline(instant.advanced(by: .zero - reserve))
  }

  package static func < (left: Deadline, right: Deadline) -> Bool { left.instant < right.instant }
}

extension Duration {
  /// Whole milliseconds, rounded up, at most `Int32.max`: what C time-outs take.
  package var millisecondsRoundedUp: Int32 {
    let (seconds, attoseconds) = components
    guard seconds < 2_147_483 else { return .max }
    let thousandths = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int32(clamping: seconds * 1000 + thousandths)
  }
}
