internal import CCurl

/// An address in the hands of the parser that the transfer itself uses: what is checked is what is
/// connected to. The corresponding C functions are `curl_url`, `curl_url_set`, `curl_url_get`.
@safe struct CurlURL: ~Copyable {
  private let handle: OpaquePointer

  init() {
    guard let handle = unsafe curl_url() else { preconditionFailure("out of memory") }
    unsafe self.handle = unsafe handle
  }

  deinit {
    unsafe curl_url_cleanup(handle)
  }

  /// Parses an absolute address, or one relative to what was set before; false where it is none.
  borrowing func set(_ text: String) -> Bool {
    // CURLU_DISALLOW_USER: a name before the host is how one host is made to look like another.
    let flags = UInt32(CURLU_DISALLOW_USER)
    return unsafe curl_url_set(handle, CURLUPART_URL, text, flags) == CURLUE_OK
  }

  /// One part, or the whole; nil where it is missing.
  borrowing func get(_ part: CURLUPart, flags: Int32 = 0) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK,
      let text = unsafe text
    else { return nil }
    defer { unsafe curl_free(text) }
    return unsafe String(cString: text)
  }
}
