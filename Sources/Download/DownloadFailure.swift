package import Files
package import Media

/// Why a download gave no body.
package enum DownloadFailure: Error, Sendable, Hashable {
  case unsupportedURL(String)
  /// The resolved address, and why it is refused.
  case addressNotAllowed(address: String, reason: String)
  case dnsFailure(String)
  case connectFailure(String)
  case tlsFailure(String)
  case httpStatus(Int, retryAfter: Duration?)
  case tooManyRedirects(limit: Int)
  case downloadTimeout(received: Int)
  /// `declared` is the Content-Length where that was enough to refuse.
  case downloadTooLarge(limit: Int, declared: Int?)
  case headersTooLarge(limit: Int)
  case truncatedBody(expected: Int?, actual: Int)
  /// More content codings than are undone one after the other.
  case tooManyCodings(Int, limit: Int)
  /// What the sniffer said.
  case refused(Problem)
  /// The proxy could not be reached, or did not do its work: no fault of the address.
  case proxyFailure(String)
  /// Descriptors or memory ran short here: no fault of the address.
  case shortage(SystemCallFailure)
  case cancelled
  /// The destination could not be written.
  case destination(SystemCallFailure)
}

extension DownloadFailure {
  /// The failure under the contract's name; nil for a cancelled transfer, which nobody asks about.
  package func problem(url: WebAddress) -> Problem? {
    if case .refused(var problem) = self {
      problem.url = problem.url ?? url.redacted
      return problem
    }
    guard let code else { return nil }
    return Problem(.download, code, message, url: url.redacted)
  }

  private var code: Problem.Code? {
    switch self {
    case .unsupportedURL: .unsupportedURL
    case .addressNotAllowed: .addressNotAllowed
    case .dnsFailure: .dnsFailure
    case .connectFailure, .proxyFailure, .shortage: .connectFailure
    case .tlsFailure: .tlsFailure
    case .httpStatus: .httpStatus
    case .tooManyRedirects: .tooManyRedirects
    case .downloadTimeout: .downloadTimeout
    case .downloadTooLarge, .headersTooLarge: .downloadTooLarge
    case .truncatedBody: .truncatedBody
    case .tooManyCodings: .unsupportedFormat
    case .refused(let problem): problem.code
    // No other code says that bytes could not be kept.
    case .destination: .diskFull
    case .cancelled: nil
    }
  }

  private var message: String {
    switch self {
    case .unsupportedURL(let detail), .dnsFailure(let detail), .connectFailure(let detail),
      .tlsFailure(let detail), .proxyFailure(let detail):
      detail
    case .addressNotAllowed(let address, let reason): "\(address) is refused: \(reason)"
    case .httpStatus(let status, let pause):
      "status \(status)" + (pause.map { ", retry after \($0.components.seconds) s" } ?? "")
    case .tooManyRedirects(let limit): "more than \(limit) redirects"
    case .downloadTimeout(let received): "out of time after \(received) bytes"
    case .downloadTooLarge(let limit, let declared):
      declared.map { "\($0) bytes declared, limit \(limit)" } ?? "more than \(limit) bytes"
    case .headersTooLarge(let limit): "more than \(limit) bytes of header"
    case .truncatedBody(let expected, let actual):
      "\(actual) bytes of \(expected.map { "\($0)" } ?? "a longer body")"
    case .tooManyCodings(let count, let limit):
      "its Content-Encoding names \(count) codings, at most \(limit) are undone"
    case .refused(let problem): problem.message
    case .cancelled: "cancelled"
    case .destination(let failure), .shortage(let failure): failure.description
    }
  }

  /// Whether a second try has a chance.
  var isTransient: Bool {
    switch self {
    case .dnsFailure, .connectFailure, .truncatedBody, .proxyFailure, .shortage: true
    case .httpStatus(let status, _): status == 429 || (500...599).contains(status)
    default: false
    }
  }
}
