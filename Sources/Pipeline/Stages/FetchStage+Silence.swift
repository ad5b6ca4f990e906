internal import Download
internal import Media
internal import SharedCache

extension FetchStage {
  /// Less time says more of the job than of the origin.
  private static let fairTime: Int64 = 5000

  /// Remembers an origin that sent nothing in a fair time, so that not each job waits for it in turn.
  func rememberSilence(
    _ failure: DownloadFailure, since start: Int64, of key: SourceKey
  ) async {
    guard case .downloadTimeout(received: 0) = failure,
      WallClock.now() - start >= Self.fairTime
    else { return }
    _ = try? await blocking.run { [cache] () throws(CacheFailure) in
      try cache.recordFailure(
        of: key, .transient, code: .downloadTimeout,
        message: "nothing came in \((WallClock.now() - start) / 1000) s")
    }
  }
}
