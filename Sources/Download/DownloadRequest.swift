package import Media

/// What to fetch, and the bounds that hold.
package struct DownloadRequest: Sendable {
  /// The validators of a cached copy, for a conditional request (RFC 9110 §13).
  package struct Validators: Sendable, Hashable {
    package var etag: String?
    package var lastModified: String?

    package init(etag: String? = nil, lastModified: String? = nil) {
      self.etag = etag
      self.lastModified = lastModified
    }
  }

  /// Judges the first bytes (at most `sniffLength`, fewer when the body is shorter), told the
  /// Content-Type; a problem stops the transfer.
  package typealias Sniffer = @Sendable (_ prefix: [UInt8], _ contentType: String?) -> Problem?

  /// Sees the body as it comes, from `offset` on, told the Content-Length. Once it answers how many
  /// bytes of the body are enough, the transfer stops. A second try begins at offset 0 again.
  package typealias Watcher =
    @Sendable (
      _ bytes: Span<UInt8>, _ offset: Int, _ declared: Int?
    ) -> Int?

  /// How a transfer goes on after its first bytes.
  package enum Verdict: Sendable, Hashable {
    /// More must be seen.
    case undecided
    case goOn
    /// Not before the hold that was offered is ended.
    case hold
    case stop(Problem)
  }

  /// Judges the body as far as it has come, told the Content-Length, each time more has until it has
  /// decided or `openingLength` bytes were seen. The hold is nil where the transfer must not be held.
  package typealias Judge =
    @Sendable (
      _ opening: [UInt8], _ declared: Int?, _ hold: TransferHold?
    ) -> Verdict

  /// What happens when the body is larger than the limit.
  package enum Overflow: Sendable, Hashable {
    /// The transfer fails with `downloadTooLarge`.
    case refuse
    /// The bytes up to the limit are the result.
    case cut
  }

  package static let sniffLength = 4096
  package static let openingLength = 131_072

  package var address: WebAddress
  /// The Accept field; what we decode best comes first.
  package var accept: String
  package var validators: Validators?
  /// Bytes of body, after any content coding is undone.
  package var byteLimit: Int
  package var overflow: Overflow
  package var deadline: Deadline
  /// By when what is under way must have ended: no exchange begins after the deadline, but one that
  /// has begun may outlast it.
  package var end: Deadline
  /// By when the host must have answered, the time not counted for which we hold the transfer; nil
  /// where nothing is laid down for it.
  var hostEnd: Deadline?
  /// Whether gzip and deflate are asked for: for pages, not for pictures.
  package var allowsCompression: Bool
  package var sniffer: Sniffer?
  /// Is told the header fields of each answer of status 200: a failure does not carry them.
  package var noteHeader: (@Sendable (HeaderFields) -> Void)?
  package var watcher: Watcher?
  package var judge: Judge?
  /// How often a transport error, 429 or 5xx is tried again.
  package var retries: Int

  package init(
    _ address: WebAddress, accept: String = "*/*", validators: Validators? = nil,
    byteLimit: Int = 50_000_000, overflow: Overflow = .refuse, deadline: Deadline,
    allowsCompression: Bool = false, retries: Int = 1, sniffer: Sniffer? = nil
  ) {
    self.address = address
    self.accept = accept
    self.validators = validators
    self.byteLimit = byteLimit
    self.overflow = overflow
    self.deadline = deadline
    end = deadline
    self.allowsCompression = allowsCompression
    self.retries = retries
    self.sniffer = sniffer
  }
}
