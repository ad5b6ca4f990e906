internal import CCurl
internal import Media

/// A result of libcurl's, and what the transfer knows about it, under our names.
struct CurlFailure {
  let failure: DownloadFailure

  init(transfer: Transfer, code: CURLcode) {
    failure = Self.classify(transfer, code)
  }

  private static func classify(_ transfer: Transfer, _ code: CURLcode) -> DownloadFailure {
    // A refused socket surfaces only as "could not connect" or "aborted by callback".
    if let refusal = transfer.refusals.last, transfer.openedSockets == 0 || code == aborted {
      return .addressNotAllowed(address: "\(refusal.address)", reason: refusal.reason)
    }
    if let shortage = transfer.shortage { return .shortage(shortage) }
    let message = CurlLibrary.message(code)
    if let proxy = proxyFailure(transfer, code, message) { return proxy }
    switch code {
    case CURLE_URL_MALFORMAT: return .unsupportedURL(message)
    // Only http and https get this far: the answer has no status line (HTTP/0.9).
    case CURLE_UNSUPPORTED_PROTOCOL: return .connectFailure("\(transfer.host): no HTTP answer")
    case CURLE_COULDNT_RESOLVE_HOST: return .dnsFailure("no address for \(transfer.host)")
    case CURLE_OPERATION_TIMEDOUT: return timeout(transfer)
    case CURLE_SSL_CONNECT_ERROR where transfer.easy.number(CURLINFO_OS_ERRNO) != 0:
      return .connectFailure(message)
    case CURLE_PEER_FAILED_VERIFICATION:
      return .tlsFailure(distrust(transfer, message))
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_ENGINE_NOTFOUND:
      return .tlsFailure(message)
    default: return broken(transfer, message)
    }
  }

  /// By OpenSSL's verdict on the chain (X509_V_ERR_…); a chain that is good is another host's.
  private static func distrust(_ transfer: Transfer, _ message: String) -> String {
    switch transfer.easy.number(CURLINFO_SSL_VERIFYRESULT) {
    case 0: "the certificate is not that of \(transfer.host)"
    case 9: "the certificate is not valid yet"
    case 10: "the certificate has expired"
    case 2, 18, 19, 20, 21: "the certificate is not trusted (--ca-file adds an authority)"
    default: message
    }
  }

  private static let aborted = CURLE_ABORTED_BY_CALLBACK

  /// With a proxy the only connection we make is the one to it.
  private static func proxyFailure(
    _ transfer: Transfer, _ code: CURLcode, _ message: String
  ) -> DownloadFailure? {
    guard transfer.options.proxy != nil else { return nil }
    switch code {
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT, CURLE_PROXY:
      return .proxyFailure("the proxy: \(message)")
    case CURLE_OPERATION_TIMEDOUT where transfer.easy.offset(CURLINFO_CONNECT_TIME_T) == 0:
      return .proxyFailure("no connection to the proxy: \(message)")
    default: return nil
    }
  }

  private static func timeout(_ transfer: Transfer) -> DownloadFailure {
    if transfer.request.end.remaining < .milliseconds(5) {
      return .downloadTimeout(received: transfer.received)
    }
    let limit = transfer.options.connectTimeout
    guard transfer.easy.offset(CURLINFO_NAMELOOKUP_TIME_T) > 0 else {
      return .dnsFailure("no answer about \(transfer.host) within \(limit)")
    }
    return .connectFailure("no connection to \(transfer.host) within \(limit)")
  }

  /// The connection ended or misbehaved: after the header it is the body that is short.
  private static func broken(_ transfer: Transfer, _ message: String) -> DownloadFailure {
    guard transfer.isHeaderComplete, transfer.status == 200 else {
      return .connectFailure("\(transfer.host): \(message)")
    }
    return .truncatedBody(expected: transfer.declaredLength, actual: transfer.received)
  }
}

extension Transfer {
  fileprivate var host: String { exchange.address.host }
}
