package import Media

/// When a job came and by when its manifest must be out (contract §6).
package struct JobTiming: Sendable, Hashable {
  /// What the worker grants.
  package struct Policy: Sendable, Hashable {
    /// For a payload that names no deadline.
    package var usual: Duration
    /// The furthest that a payload's own deadline may lie.
    package var most: Duration

    package init(usual: Duration = .seconds(30), most: Duration = .seconds(60)) {
      self.usual = usual
      self.most = most
    }
  }

  package let arrival: Timestamp
  package let deadline: Timestamp
  /// Whether the payload's own deadline lay in the past when it came.
  package let isExpired: Bool

  package init(arrival: Timestamp, payload: Payload?, policy: Policy) {
    self.arrival = arrival
    let allowed = payload?.ttlSeconds.map { arrival.advanced(by: .seconds(min($0, 1e9))) }
    let own = [payload?.deadline, allowed].compactMap { $0 }.min()
    deadline = min(
      own ?? arrival.advanced(by: policy.usual),
      arrival.advanced(by: own == nil ? policy.usual : policy.most))
    isExpired = own.map { $0 <= arrival } ?? false
  }

  /// The deadline on the clock that never jumps, told from the wall clock's present time.
  package func monotonicDeadline(now: Timestamp = .now) -> Deadline {
    .after(now.duration(to: deadline))
  }
}
