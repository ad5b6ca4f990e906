internal import CCurl

/// A linked list of header lines. The corresponding C functions are `curl_slist_append` and
/// `curl_slist_free_all`.
@safe struct CurlList: ~Copyable {
  private(set) var head: UnsafeMutablePointer<curl_slist>?

  init() {
    unsafe head = nil
  }

  deinit {
    unsafe curl_slist_free_all(head)
  }

  mutating func append(_ line: String) {
    guard let longer = unsafe curl_slist_append(head, line) else {
      preconditionFailure("out of memory")
    }
    unsafe head = unsafe longer
  }
}
