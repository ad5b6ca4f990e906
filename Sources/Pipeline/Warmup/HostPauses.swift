internal import Download
internal import Media
internal import Synchronization

/// Hosts that asked to be left alone, and until when (RFC 9110 §10.2.3, RFC 6585 §4).
package final class HostPauses: Sendable {
  private struct State {
    /// Milliseconds since 1970.
    var until: [String: Int64] = [:]
    /// Trouble in a row without a word on how long.
    var troubles: [String: Int] = [:]
    var postponed: Set<String> = []
    var changes = 0
  }

  private let state: Mutex<State>

  /// The first wait after a 429 or 503 that names none, and the longest.
  private static let firstWait: Int64 = 5000
  private static let longestWait: Int64 = 300_000
  /// The longest that is believed.
  private static let longest: Int64 = 86_400_000

  init(_ until: [String: Int64] = [:]) {
    state = Mutex(State(until: until))
  }

  /// When the host may be asked again, milliseconds since 1970; nil for now.
  func end(of host: String, now: Int64) -> Int64? {
    state.withLock { $0.until[host].flatMap { $0 > now && $0 - now <= Self.longest ? $0 : nil } }
  }

  /// Those in force.
  func all(now: Int64) -> [String: Int64] {
    state.withLock { $0.until.filter { $0.value > now && $0.value - now <= Self.longest } }
  }

  /// Takes note of a failure; only 429 and 503 pause a host.
  func note(_ failure: DownloadFailure, _ address: WebAddress, now: Int64) {
    guard case .httpStatus(let status, let asked) = failure, status == 429 || status == 503 else {
      return
    }
    state.withLock { state in
      let trouble = min((state.troubles[address.host] ?? 0) + 1, 10)
      state.troubles[address.host] = trouble
      let wait =
        asked?.wholeMilliseconds
        ?? Int64(
          Double(min(Self.firstWait << (trouble - 1), Self.longestWait))
            * Double.random(in: 0.9...1.1))
      let end = now + min(wait, Self.longest)
      state.changes += 1
      state.until[address.host] = max(state.until[address.host] ?? 0, end)
      if asked != nil { state.postponed.insert(address.description) }
    }
  }

  /// Grows with each note.
  var changes: Int { state.withLock { $0.changes } }

  /// An answer that was none of these.
  func noteSuccess(_ host: String) {
    state.withLock { _ = $0.troubles.removeValue(forKey: host) }
  }

  /// Whether the address was refused with a time to come back; asked once.
  func takePostponed(_ url: String) -> Bool { state.withLock { $0.postponed.remove(url) != nil } }
}

extension DownloadFailure {
  /// Whether the server said when to come back: that is no failure of the address.
  var namesReturn: Bool {
    if case .httpStatus(429, _?) = self { return true }
    if case .httpStatus(503, _?) = self { return true }
    return false
  }
}
