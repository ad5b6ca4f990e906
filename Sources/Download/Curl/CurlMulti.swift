internal import CCurl

/// Many transfers on one thread, and the connections they share. The corresponding C functions are
/// `curl_multi_init` and `curl_multi_cleanup`.
@safe struct CurlMulti: ~Copyable {
  private let handle: UnsafeMutableRawPointer

  init() {
    guard CurlLibrary.isReady, let handle = unsafe curl_multi_init() else {
      preconditionFailure("out of memory")
    }
    unsafe self.handle = unsafe handle
  }

  deinit {
    unsafe curl_multi_cleanup(handle)
  }

  borrowing func set(_ option: CURLMoption, _ value: Int) {
    _ = unsafe ccurl_multi_set_long(handle, option, value)
  }

  /// False when the library does not take it.
  borrowing func add(_ easy: borrowing CurlEasy) -> Bool {
    unsafe curl_multi_add_handle(handle, easy.handle) == CURLM_OK
  }

  borrowing func remove(_ easy: borrowing CurlEasy) {
    _ = unsafe curl_multi_remove_handle(handle, easy.handle)
  }

  /// Moves every transfer on as far as it goes without waiting.
  borrowing func perform() {
    var running: Int32 = 0
    _ = unsafe curl_multi_perform(handle, &running)
  }

  /// The next transfer that has ended, and how.
  borrowing func nextFinished() -> (identity: UInt, code: CURLcode)? {
    var code = CURLE_OK
    guard let easy = unsafe ccurl_next_finished(handle, &code) else { return nil }
    return (UInt(bitPattern: easy), code)
  }

  /// Waits for the network, for `descriptor`, or for so many milliseconds.
  borrowing func wait(for descriptor: Int32, milliseconds: Int32) {
    _ = unsafe ccurl_poll(handle, descriptor, milliseconds)
  }
}
