/// The value that a share of all samples stays below, followed as it moves: each sample pushes it a
/// little up or down (Ma, Muthukrishnan and Sandler, "Frugal Streaming", 2013).
package struct MovingQuantile: Sendable, Hashable {
  package private(set) var value: Double
  /// 0…1.
  let share: Double
  /// Of the value, for one sample.
  let step: Double

  private static let least = 0.001

  package init(_ value: Double, share: Double = 0.8, step: Double = 0.1) {
    self.step = step
    self.value = max(Self.least, value.isFinite ? value : Self.least)
    self.share = share
  }

  package mutating func note(_ sample: Double) {
    guard sample.isFinite else { return }
    let step = value * self.step
    let moved = sample > value ? value + step * share : value - step * (1 - share)
    // Never past the sample.
    value = max(Self.least, sample > value ? min(moved, sample) : max(moved, sample))
  }
}
