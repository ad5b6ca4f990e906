internal import CCurl

/// The library's global state, set up once before the first handle.
enum CurlLibrary {
  /// The corresponding C function is `curl_global_init`.
  static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// The library's words for a result. The corresponding C function is `curl_easy_strerror`.
  static func message(_ code: CURLcode) -> String {
    guard let text = unsafe curl_easy_strerror(code) else { return "error \(code.rawValue)" }
    return unsafe String(cString: text)
  }
}
