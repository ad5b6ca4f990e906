/// File names as strings. A name may be any bytes; those that are not UTF-8 stand as scalars
/// U+10FF00 + byte (private use), so that every file can be listed, opened and renamed.
package enum FileName {
  private static let firstScalar: UInt32 = 0x10FF00
  /// The first byte of those scalars in UTF-8; most names have none.
  private static let leadByte: UInt8 = 0xF4

  /// The string for a name's bytes. No two names share one.
  package static func text(_ bytes: [UInt8]) -> String {
    if !bytes.contains(leadByte), let text = String(validating: bytes, as: UTF8.self) {
      return text
    }
    var text = String.UnicodeScalarView()
    var rest = bytes[...]
    while let first = rest.first {
      if let scalar = scalar(at: rest), scalar.value < firstScalar {
        text.append(scalar)
        rest = rest.dropFirst(UTF8.width(scalar))
      } else {
        text.append(standIn(first))
        rest = rest.dropFirst()
      }
    }
    return String(text)
  }

  /// The bytes that a string from `text(_:)` stands for; of any other string its UTF-8.
  package static func bytes(of text: String) -> [UInt8] {
    guard text.utf8.contains(leadByte) else { return Array(text.utf8) }
    return text.unicodeScalars.flatMap { scalar in
      scalar.value >= firstScalar
        ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
    }
  }

  /// The name for people: what is not UTF-8 becomes U+FFFD.
  package static func shown(_ text: String) -> String {
    guard text.utf8.contains(leadByte) else { return text }
    return String(decoding: bytes(of: text), as: UTF8.self)
  }

  private static func standIn(_ byte: UInt8) -> Unicode.Scalar {
    Unicode.Scalar(firstScalar + UInt32(byte)) ?? "\u{FFFD}"
  }

  /// The whole scalar that some bytes begin with.
  private static func scalar(at bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
    (1...4).lazy.compactMap { length in
      String(validating: bytes.prefix(length), as: UTF8.self)?.unicodeScalars.first
    }.first
  }
}

extension String {
  /// Runs `body` with the bytes of a file name or path, as C functions take them.
  ///
  /// - Safety: the pointer is valid during the call.
  @unsafe package func withFileName<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let bytes = FileName.bytes(of: self).map { CChar(bitPattern: $0) } + [0]
    return unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return unsafe withCString(body) }
      return unsafe body(start)
    }
  }
}
