internal import Media

/// One request to one address, redirects and retries not included.
struct Exchange: Sendable {
  var request: DownloadRequest
  var address: WebAddress
  var credential: Credentials.Entry?
  /// A regular or memory file that the caller keeps open; written from its start.
  var destination: Int32
  /// Whether an earlier exchange left bytes in the destination. They go when the first new ones
  /// come: the beginning of a picture is better than nothing.
  var replacesBytes: Bool
  /// Whether it must have a connection of its own: one that was kept may be as dead as the last.
  var isOnFreshConnection = false

  /// What came back, whatever the status.
  struct Answer: Sendable {
    var status: Int
    var headers: HeaderFields
    var received: Int
    var wasCut: Bool
    var isBeginning: Bool
    var timing: DownloadResponse.Timing
  }

  /// The end of an exchange.
  struct Outcome: Sendable {
    var result: Result<Answer, DownloadFailure>
    /// Bytes of this exchange in the destination.
    var written: Int
    /// Whether a kept connection ended without an answer, and libcurl took the next one.
    var needsFreshConnection = false
  }
}
