internal import CCrypto
internal import Files

/// A SHA-256 in the making (FIPS 180-4), by libcrypto's `EVP_Digest` functions.
@safe struct SHA256: ~Copyable {
  private let context: OpaquePointer?
  private var isSound: Bool

  /// The corresponding C functions are `EVP_MD_CTX_new` and `EVP_DigestInit_ex`.
  init() {
    unsafe context = EVP_MD_CTX_new()
    isSound = unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
  }

  deinit {
    unsafe EVP_MD_CTX_free(context)
  }

  /// The corresponding C function is `EVP_DigestUpdate`.
  mutating func update(_ bytes: borrowing RawSpan) {
    let context = unsafe context
    let taken = unsafe bytes.withUnsafeBytes {
      unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count)
    }
    isSound = isSound && taken == 1
  }

  /// Nil when libcrypto refused or lacked memory: nothing may be published then. The corresponding
  /// C function is `EVP_DigestFinal_ex`.
  consuming func finish() -> ContentHash? {
    let context = unsafe context
    var digest = [UInt8](repeating: 0, count: 32)
    let done = unsafe digest.withUnsafeMutableBufferPointer {
      unsafe EVP_DigestFinal_ex(context, $0.baseAddress, nil)
    }
    return isSound && done == 1 ? ContentHash(bytes: digest) : nil
  }
}

extension ContentHash {
  /// The hash of bytes in memory.
  package static func of(_ bytes: borrowing RawSpan) -> ContentHash? {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }

  package static func of(_ bytes: [UInt8]) -> ContentHash? {
    unsafe of(bytes.span.bytes)
  }

  /// The hash of a text's UTF-8.
  package static func of(_ text: String) -> ContentHash? {
    of(Array(text.utf8))
  }
}
