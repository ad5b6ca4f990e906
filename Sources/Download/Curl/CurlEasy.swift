internal import CCurl

/// One transfer's handle. The corresponding C functions are `curl_easy_init` and `curl_easy_cleanup`.
///
/// Options that are refused are programming errors or features missing from the build: either makes
/// the transfer unsafe, so the first refusal is kept and the transfer must not start.
@safe struct CurlEasy: ~Copyable {
  let handle: UnsafeMutableRawPointer
  private(set) var refusal: CURLcode?

  init() {
    guard CurlLibrary.isReady, let handle = unsafe curl_easy_init() else {
      preconditionFailure("out of memory")
    }
    unsafe self.handle = unsafe handle
    refusal = nil
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
  }

  /// What a multi handle reports a transfer by.
  var identity: UInt { unsafe UInt(bitPattern: handle) }

  mutating func set(_ option: CURLoption, _ value: Int) {
    note(unsafe ccurl_set_long(handle, option, value))
  }

  /// The library copies the text; nil resets the option.
  mutating func set(_ option: CURLoption, _ value: String?) {
    note(unsafe ccurl_set_string(handle, option, value))
  }

  /// The list must outlive the transfer.
  mutating func set(_ option: CURLoption, list: borrowing CurlList) {
    note(unsafe ccurl_set_list(handle, option, list.head))
  }

  /// - Safety: `value` must outlive the transfer.
  @unsafe mutating func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer) {
    note(unsafe ccurl_set_pointer(handle, option, value))
  }

  /// - Safety: the callback's context must outlive the transfer.
  @unsafe mutating func set(
    _ option: CURLoption, callback: @escaping DataCallback, context option2: CURLoption,
    _ context: UnsafeMutableRawPointer
  ) {
    note(unsafe ccurl_set_data_callback(handle, option, callback))
    unsafe set(option2, pointer: context)
  }

  /// - Safety: as above.
  @unsafe mutating func set(
    openSocket callback: @escaping OpenSocketCallback, _ context: UnsafeMutableRawPointer
  ) {
    note(unsafe ccurl_set_open_socket_callback(handle, callback))
    unsafe set(CURLOPT_OPENSOCKETDATA, pointer: context)
  }

  /// - Safety: as above.
  @unsafe mutating func set(
    beforeRequest callback: @escaping PrerequestCallback, _ context: UnsafeMutableRawPointer
  ) {
    note(unsafe ccurl_set_prerequest_callback(handle, callback))
    unsafe set(CURLOPT_PREREQDATA, pointer: context)
  }

  /// Reads no more from the network. The corresponding C function is `curl_easy_pause`.
  borrowing func pause() {
    _ = unsafe curl_easy_pause(handle, CURLPAUSE_RECV)
  }

  /// Reads on; may call back at once with what had come before the pause.
  borrowing func resume() {
    _ = unsafe curl_easy_pause(handle, CURLPAUSE_CONT)
  }

  /// A count or a number of microseconds; zero when not known.
  borrowing func offset(_ info: CURLINFO) -> Int {
    var value: curl_off_t = 0
    guard unsafe ccurl_get_offset(handle, info, &value) == CURLE_OK else { return 0 }
    return Int(value)
  }

  borrowing func number(_ info: CURLINFO) -> Int {
    var value = 0
    guard unsafe ccurl_get_long(handle, info, &value) == CURLE_OK else { return 0 }
    return value
  }

  private mutating func note(_ code: CURLcode) {
    if code != CURLE_OK, refusal == nil { refusal = code }
  }
}

extension CurlEasy {
  typealias DataCallback =
    @convention(c) (
      UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?
    ) -> Int
  typealias OpenSocketCallback =
    @convention(c) (
      UnsafeMutableRawPointer?, curlsocktype, UnsafeMutablePointer<curl_sockaddr>?
    ) -> curl_socket_t
  typealias PrerequestCallback =
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?, Int32,
      Int32
    ) -> Int32
}
