internal import CCurl

/// Dates as HTTP writes them (RFC 9110 §5.6.7).
package enum HTTPDate {
  /// Seconds since 1970, UTC; nil for what is no date. The corresponding C function is
  /// `curl_getdate`.
  package static func seconds(_ text: String) -> Int? {
    let seconds = unsafe curl_getdate(text, nil)
    return seconds == -1 ? nil : seconds
  }
}
