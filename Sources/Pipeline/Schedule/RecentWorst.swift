internal import Glibc

/// The worst of what was seen lately: each sample counts half after a while, a quarter after two.
package struct RecentWorst: Sendable, Hashable {
  package typealias Instant = ContinuousClock.Instant

  private var peak = Duration.zero
  private var seen: Instant?

  private static let halfLife = Duration.seconds(5)

  package init() {}

  package func value(now: Instant) -> Duration {
    guard let seen else { return .zero }
    return peak * exp2(-(max(.zero, seen.duration(to: now)) / Self.halfLife))
  }

  package mutating func note(_ sample: Duration, now: Instant) {
    guard sample > value(now: now) else { return }
    peak = sample
    seen = now
  }
}
