internal import CCurl

/// What may stand for a proxy: `http://` or `https://`, name and password where it wants them, host
/// and port; of an HTTP proxy `HOST:PORT` will do. Any port is taken: the operator's own choice is no
/// page's trick.
package enum ProxyAddress {
  /// Whether an HTTP proxy can be meant.
  package static func isUsable(_ text: String) -> Bool {
    guard text.contains("://") else {
      return text.contains(":") && !text.hasSuffix(":") && isUsable("http://" + text)
    }
    let scheme = ["http://", "https://"].first { text.lowercased().hasPrefix($0) }
    guard let scheme else { return false }
    let rest = text.dropFirst(scheme.count)
    let start = rest.lastIndex(of: "@").map { rest.index(after: $0) } ?? rest.startIndex
    let url = CurlURL()
    guard url.set(scheme + rest[start...]), let host = url.get(CURLUPART_HOST),
      HostName.isAcceptable(host.lowercased()), (url.get(CURLUPART_PATH) ?? "/") == "/",
      url.get(CURLUPART_QUERY) == nil, url.get(CURLUPART_FRAGMENT) == nil
    else { return false }
    // libcurl takes 0 for no port at all.
    return url.get(CURLUPART_PORT).map { (Int($0) ?? 0) > 0 } ?? true
  }
}
