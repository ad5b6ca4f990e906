/// A body that arrived as far as it was wanted, or the news that the cached copy is still good.
package struct DownloadResponse: Sendable {
  /// How long each part took, from the start of the last exchange; zero for what was not needed.
  package struct Timing: Sendable, Hashable {
    package var nameLookup: Duration
    package var connect: Duration
    package var tls: Duration
    package var firstByte: Duration
    package var total: Duration
  }

  /// An answer that sent the request elsewhere.
  package struct Redirect: Sendable {
    package var status: Int
    package var headers: HeaderFields
  }

  /// 200, or 304 to a conditional request.
  package var status: Int
  /// Where the body came from, after redirects.
  package var finalAddress: WebAddress
  package var headers: HeaderFields
  /// Bytes written to the destination.
  package var byteCount: Int
  /// Whether the body was longer than the limit and `Overflow.cut` applied.
  package var wasCut: Bool
  /// Whether the watcher had enough before the body's end.
  package var isBeginning: Bool
  package var redirects: [Redirect]
  package var retries: Int
  package var timing: Timing
}
