internal import Synchronization

/// A transfer that reads no further until it is told how to go on, its connection left open.
package final class TransferHold: Sendable {
  private struct State: Sendable {
    var verdict: DownloadRequest.Verdict?
    var observer: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private let wake: @Sendable () -> Void

  /// `wake` makes the transfer thread look at it.
  init(wake: @escaping @Sendable () -> Void) {
    self.wake = wake
  }

  /// Ends the hold, from any thread; of several verdicts the first holds.
  package func end(_ verdict: DownloadRequest.Verdict) {
    let observer = state.withLock { state in
      state.verdict = state.verdict ?? verdict
      return state.observer.take()
    }
    observer?()
    wake()
  }

  /// Has `observer` called when the hold is ended, be it by the transfer thread: a connection may be
  /// wanted for something more urgent.
  package func whenEnded(_ observer: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      if state.verdict == nil { state.observer = observer }
      return state.verdict != nil
    }
    if isOver { observer() }
  }

  /// How the transfer goes on; nil while it is held.
  var ending: DownloadRequest.Verdict? { state.withLock { $0.verdict } }
}

/// How many transfers are held, so that those which wait for a connection get one. Lives on the
/// transfer thread.
final class HeldTransfers {
  private var perHost: [String: Int] = [:]
  private let options: DownloadOptions
  private let wake: @Sendable () -> Void

  /// Connections that are left to transfers which go on, of a host's and of all.
  private static let leftPerHost = 2
  private static let share = 4

  init(_ options: DownloadOptions, wake: @escaping @Sendable () -> Void) {
    self.options = options
    self.wake = wake
  }

  /// A hold for a transfer from the host; nil where too many are held already.
  func hold(_ host: String) -> TransferHold? {
    let most = options.hostRules().rule(for: host).concurrency ?? options.maximumPerHost
    let all = perHost.values.reduce(0, +)
    guard perHost[host, default: 0] < most - Self.leftPerHost,
      all < options.maximumTransfers - options.maximumTransfers / Self.share
    else { return nil }
    return TransferHold(wake: wake)
  }

  func note(_ host: String, isHeld: Bool) {
    let count = perHost[host, default: 0] + (isHeld ? 1 : -1)
    perHost[host] = count > 0 ? count : nil
  }
}
