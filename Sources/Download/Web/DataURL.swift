internal import Media

/// The bytes inside a `data:` address (RFC 2397). Its media type is ignored: bytes tell what they are.
package struct DataURL: Sendable, Hashable {
  package let bytes: [UInt8]

  /// Why an address gives no bytes.
  package enum Failure: Error, Sendable, Hashable {
    case notDataURL
    case malformed
    case tooLarge(limit: Int)
  }

  /// Whether `text` has the scheme at all.
  package static func isOne(_ text: String) -> Bool {
    schemeLength(text) != nil
  }

  /// Decodes the base64 or the percent form, up to `limit` bytes.
  package init(_ text: String, limit: Int) throws(Failure) {
    guard let scheme = Self.schemeLength(text) else { throw .notDataURL }
    let rest = text.utf8.dropFirst(scheme)
    guard let comma = rest.firstIndex(of: UInt8(ascii: ",")) else { throw .malformed }
    let data = rest[rest.index(after: comma)...].prefix { $0 != UInt8(ascii: "#") }
    // Every byte may be three characters, and white space is allowed between them.
    guard data.count / 4 <= limit else {
      throw .tooLarge(limit: limit)
    }
    let decoded = PercentEncoding.decode(data)
    guard let bytes = Self.isBase64(rest[..<comma]) ? Base64.decode(decoded) : decoded else {
      throw .malformed
    }
    guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
    self.bytes = bytes
  }

  private static func schemeLength(_ text: String) -> Int? {
    let spaces = text.utf8.prefix(while: { $0 <= 0x20 }).count
    let scheme = String(decoding: text.utf8.dropFirst(spaces).prefix(5), as: UTF8.self)
    return scheme.lowercased() == "data:" ? spaces + 5 : nil
  }

  private static func isBase64(_ header: Substring.UTF8View) -> Bool {
    let parameter = header.split(separator: UInt8(ascii: ";")).last.map { part in
      String(decoding: part.filter { $0 > 0x20 }, as: UTF8.self).lowercased()
    }
    return parameter == "base64" && header.contains(UInt8(ascii: ";"))
  }
}
