internal import Media
internal import Synchronization

/// How long downloads from each host usually take, as this process has seen it.
package final class HostPaces: Sendable {
  private struct State {
    var times: [String: MovingQuantile] = [:]
    /// In order of their first download: the oldest is forgotten first.
    var order: [String] = []
  }

  private let state = Mutex(State())

  /// Hosts known at a time.
  static let limit = 1024
  /// The share of downloads that are as quick, and how much longer the others may take.
  private static let share = 0.9
  private static let allowance = 2.0
  /// The least wait: less is noise.
  private static let least = Duration.milliseconds(300)
  /// A few decodes, so that none is waited for.
  private static let leastLead = Duration.milliseconds(60)
  /// The longest wait for a host that nothing is known of, and its share of the time left.
  private static let longestUnknown = Duration.seconds(3)
  private static let unknownShare = 4

  package init() {}

  /// Notes a download that has succeeded.
  package func note(_ host: String, _ time: Duration) {
    let seconds = time / .seconds(1)
    state.withLock { state in
      if state.times[host] == nil {
        if state.order.count >= Self.limit { state.times[state.order.removeFirst()] = nil }
        state.order.append(host)
        state.times[host] = MovingQuantile(seconds, share: Self.share)
      }
      state.times[host]?.note(seconds)
    }
  }

  /// How long before its turn a download from the host must go on; nil where nothing is known of it.
  func lead(of host: String) -> Duration? {
    let usual = state.withLock { $0.times[host]?.value }
    return usual.map { max(Self.leastLead, .seconds($0 * Self.allowance)) }
  }

  /// How long a download from the host may take, of the time left, before another is tried beside it.
  package func patience(with host: String, of remaining: Duration) -> Duration {
    let usual = state.withLock { $0.times[host]?.value }
    guard let usual else {
      return max(Self.least, min(remaining / Self.unknownShare, Self.longestUnknown))
    }
    return max(Self.least, .seconds(usual * Self.allowance))
  }
}
