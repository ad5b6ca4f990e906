internal import Media

/// The way of one request through redirects and retries: what comes next after each exchange.
struct Journey {
  /// How long to wait before the next exchange.
  private(set) var pause = Duration.zero

  private let request: DownloadRequest
  private let destination: Int32
  private let options: DownloadOptions
  private var address: WebAddress
  private var redirects: [DownloadResponse.Redirect] = []
  private var retries = 0
  private var hasWritten = false
  /// Whether a kept connection failed: no other is tried.
  private var avoidsKeptConnections = false
  /// Left for an exchange after a pause; less is not worth one.
  private static let leastUsefulTime = Duration.milliseconds(200)

  init(_ request: DownloadRequest, destination: Int32, options: DownloadOptions) {
    self.request = request
    self.destination = destination
    self.options = options
    address = request.address
  }

  func exchange() -> Exchange {
    Exchange(
      request: request, address: address, credential: credential, destination: destination,
      replacesBytes: hasWritten, isOnFreshConnection: avoidsKeptConnections)
  }

  /// Takes the end of an exchange: a response, or nil when another exchange is due after `pause`.
  mutating func arrive(
    _ outcome: Exchange.Outcome
  ) throws(DownloadFailure) -> DownloadResponse? {
    pause = .zero
    if outcome.needsFreshConnection, !avoidsKeptConnections {
      // The origin may have closed the connection before the request came: that is no try.
      avoidsKeptConnections = true
      return nil
    }
    do throws(DownloadFailure) {
      return try judge(try outcome.result.get())
    } catch {
      try retry(after: error, written: outcome.written)
      return nil
    }
  }

  private mutating func judge(
    _ answer: Exchange.Answer
  ) throws(DownloadFailure) -> DownloadResponse? {
    switch answer.status {
    case 200:
      return response(answer)
    case 304 where request.validators != nil:
      return response(answer)
    case 301, 302, 303, 307, 308:
      guard let location = answer.headers["location"] else { fallthrough }
      redirects.append(.init(status: answer.status, headers: answer.headers))
      try redirect(to: location)
      return nil
    default:
      throw .httpStatus(
        answer.status, retryAfter: RetryAfter.duration(answer.headers["retry-after"]))
    }
  }

  private mutating func redirect(to location: String) throws(DownloadFailure) {
    guard redirects.count <= options.maximumRedirects else {
      throw .tooManyRedirects(limit: options.maximumRedirects)
    }
    guard let next = address.resolve(location) else {
      throw .unsupportedURL("redirect to an address that cannot be fetched")
    }
    guard next.isSecure || !address.isSecure else {
      throw .unsupportedURL("redirect from https to http")
    }
    try options.hostRules().rule(for: next.host).check(next)
    address = next
  }

  private mutating func retry(
    after failure: DownloadFailure, written: Int
  ) throws(DownloadFailure) {
    guard failure.isTransient, retries < request.retries else { throw failure }
    let wait = Self.backOff(after: failure)
    guard request.deadline.remaining > wait + Self.leastUsefulTime else { throw failure }
    hasWritten = hasWritten || written > 0
    if case .httpStatus = failure {} else { avoidsKeptConnections = true }
    retries += 1
    pause = wait
  }

  /// What the server asked for, or a short time that differs between those who failed together.
  private static func backOff(after failure: DownloadFailure) -> Duration {
    if case .httpStatus(_, let asked?) = failure { return asked }
    return .milliseconds(Int.random(in: 100...300))
  }

  /// Credentials go to the host they were asked for only, and never in clear over a foreign network.
  private var credential: Credentials.Entry? {
    guard address.hasSameOrigin(as: request.address), address.isSecure || isOperatorsOwn else {
      return nil
    }
    return options.credentials?.entry(for: address.host)
  }

  private var isOperatorsOwn: Bool {
    let literal = address.host == "localhost" ? IPAddress(ipv4: 0x7f00_0001) : address.literal
    return literal.map(options.policy.allows) ?? false
  }

  private func response(_ answer: Exchange.Answer) -> DownloadResponse {
    DownloadResponse(
      status: answer.status, finalAddress: address, headers: answer.headers,
      byteCount: answer.received, wasCut: answer.wasCut, isBeginning: answer.isBeginning,
      redirects: redirects, retries: retries,
      timing: answer.timing)
  }
}
