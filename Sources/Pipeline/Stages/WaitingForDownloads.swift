package import SharedCache
internal import Synchronization

/// Which addresses others wait for while one job downloads them.
package final class WaitingForDownloads: Sendable {
  private struct State {
    var counts: [SourceKey: Int] = [:]
    var releases: [SourceKey: @Sendable () -> Void] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// Runs `body`, which may wait for another's download: that is not held back meanwhile.
  package func waiting<Value: ~Copyable, Failure>(
    for key: SourceKey, _ body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let release = state.withLock { state in
      state.counts[key, default: 0] += 1
      return state.releases.removeValue(forKey: key)
    }
    release?()
    defer {
      state.withLock { state in
        let count = state.counts[key, default: 1] - 1
        state.counts[key] = count > 0 ? count : nil
      }
    }
    return try await body()
  }

  /// Notes how to release a download that is held back; at once where others wait for it.
  package func note(_ key: SourceKey, release: @escaping @Sendable () -> Void) {
    let isWanted = state.withLock { state in
      guard state.counts[key] == nil else { return true }
      state.releases[key] = release
      return false
    }
    if isWanted { release() }
  }

  /// The download is not held back any more.
  package func forget(_ key: SourceKey) {
    state.withLock { _ = $0.releases.removeValue(forKey: key) }
  }
}
