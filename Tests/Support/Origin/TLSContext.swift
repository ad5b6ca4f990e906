internal import CSSL

/// The server's side of TLS with one certificate.
@safe final class TLSContext: Sendable {
  // SSL_CTX is reference counted and may be used by many threads.
  nonisolated(unsafe) let handle: OpaquePointer

  /// Loads PEM files; nil when they do not fit.
  init?(certificate: String, key: String) {
    guard let handle = unsafe SSL_CTX_new(TLS_server_method()) else { return nil }
    unsafe self.handle = unsafe handle
    guard unsafe SSL_CTX_use_certificate_chain_file(handle, certificate) == 1,
      unsafe SSL_CTX_use_PrivateKey_file(handle, key, SSL_FILETYPE_PEM) == 1
    else { return nil }
  }

  deinit {
    unsafe SSL_CTX_free(handle)
  }
}
