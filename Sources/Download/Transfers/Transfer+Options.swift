internal import CCurl
internal import Glibc
internal import Media

extension Transfer {
  /// Sets every option of the handle; false when the library refuses one.
  func configure() -> Bool {
    setBounds()
    setRequest()
    setIdentity()
    unsafe setCallbacks(Unmanaged.passUnretained(self).toOpaque())
    return easy.refusal == nil
  }

  private func setBounds() {
    easy.set(CURLOPT_URL, exchange.address.description)
    easy.set(CURLOPT_PROTOCOLS_STR, "http,https")
    easy.set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
    easy.set(CURLOPT_FOLLOWLOCATION, 0)
    easy.set(CURLOPT_HTTP09_ALLOWED, 0)
    easy.set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    easy.set(CURLOPT_NOSIGNAL, 1)
    easy.set(CURLOPT_NOPROGRESS, 1)
    // Without it a silent name server holds this thread, and every other transfer, for seconds.
    easy.set(CURLOPT_QUICK_EXIT, 1)
    let left = request.end.remaining
    easy.set(CURLOPT_TIMEOUT_MS, Int(max(1, left.millisecondsRoundedUp)))
    let connect = min(left, options.connectTimeout).millisecondsRoundedUp
    easy.set(CURLOPT_CONNECTTIMEOUT_MS, Int(max(1, connect)))
    easy.set(CURLOPT_MAXLIFETIME_CONN, 300)
    easy.set(CURLOPT_FRESH_CONNECT, exchange.isOnFreshConnection ? 1 : 0)
    // Empty names switch the environment's proxies off, and its exceptions, which would lead past
    // the proxy that checks addresses in our place.
    easy.set(CURLOPT_PROXY, options.proxy ?? "")
    easy.set(CURLOPT_NOPROXY, "")
    easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
  }

  private func setRequest() {
    easy.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
    easy.set(CURLOPT_USERAGENT, options.userAgent)
    // Undone by ContentDecoder, in pictures too: some are sent so though nobody asked.
    easy.set(CURLOPT_HTTP_CONTENT_DECODING, 0)
    if request.allowsCompression { fields.append("Accept-Encoding: gzip, deflate") }
    fields.append("Accept: \(Self.oneLine(request.accept))")
    if let etag = request.validators?.etag {
      fields.append("If-None-Match: \(Self.oneLine(etag))")
    }
    if let date = request.validators?.lastModified {
      fields.append("If-Modified-Since: \(Self.oneLine(date))")
    }
    easy.set(CURLOPT_HTTPHEADER, list: fields)
  }

  private func setIdentity() {
    easy.set(CURLOPT_SSL_VERIFYPEER, 1)
    easy.set(CURLOPT_SSL_VERIFYHOST, 2)
    easy.set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    if let file = options.authorityFile {
      // The system's authorities stay, through their directory.
      easy.set(CURLOPT_CAINFO, file)
    } else {
      // With a directory in play libcurl reads the bundle anew for each connection.
      easy.set(CURLOPT_CAPATH, nil)
    }
    guard let credential = exchange.credential else { return }
    if let login = credential.login {
      easy.set(CURLOPT_HTTPAUTH, ccurl_auth_basic)
      easy.set(CURLOPT_USERNAME, login)
      easy.set(CURLOPT_PASSWORD, credential.password)
    } else {
      easy.set(CURLOPT_HTTPAUTH, ccurl_auth_bearer)
      easy.set(CURLOPT_XOAUTH2_BEARER, credential.password)
    }
  }

  /// A cached validator came from a server: no line break of its may start a field of ours.
  private static func oneLine(_ value: String) -> String {
    String(String.UnicodeScalarView(value.unicodeScalars.filter { $0.value >= 0x20 }))
  }

  @unsafe private func setCallbacks(_ context: UnsafeMutableRawPointer) {
    unsafe easy.set(
      CURLOPT_HEADERFUNCTION, callback: onHeader, context: CURLOPT_HEADERDATA, context)
    unsafe easy.set(CURLOPT_WRITEFUNCTION, callback: onBody, context: CURLOPT_WRITEDATA, context)
    unsafe easy.set(beforeRequest: onRequest, context)
    // A proxy's own address is the operator's choice, and it checks the targets in our place.
    guard options.proxy == nil else { return }
    unsafe easy.set(openSocket: onOpenSocket, context)
  }
}
