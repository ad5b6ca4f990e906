/// An address as somebody wrote it, cleaned the way browsers do (WHATWG URL §4.4): what surrounds it
/// and line breaks inside it go, backslashes are slashes, the fragment is dropped.
struct AddressSpelling {
  /// `http` or `https` in lower case, any other scheme as written; nil for a relative reference.
  let scheme: String?
  /// What follows the scheme's colon, or everything.
  let rest: [UInt8]

  /// Nil when too long.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= WebAddress.maximumLength else { return nil }
    var cleaned = bytes.drop(while: { $0 <= 0x20 })
    while let last = cleaned.last, last <= 0x20 { cleaned.removeLast() }
    cleaned.removeAll { $0 == 0x09 || $0 == 0x0a || $0 == 0x0d }
    if let fragment = cleaned.firstIndex(of: UInt8(ascii: "#")) { cleaned = cleaned[..<fragment] }
    let length = Self.schemeLength(cleaned)
    scheme = length.map { String(decoding: cleaned.prefix($0), as: UTF8.self).lowercased() }
    rest = Self.slashed(length.map { cleaned.dropFirst($0 + 1) } ?? cleaned)
  }

  /// Whether a host follows: `//host/…`.
  var hasAuthority: Bool { rest.starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")]) }

  /// Whether the host has bytes that only an IDN can have.
  var hasForeignHost: Bool {
    authority.contains { $0 >= 0x80 || $0 == UInt8(ascii: "%") }
  }

  /// The address for a strict parser; nil for another scheme or a host no browser would take.
  func absolute(scheme: String) -> String? {
    guard scheme == "http" || scheme == "https", let host = validAuthority() else { return nil }
    return "\(scheme)://\(host)" + Self.encoded(afterAuthority[...])
  }

  /// The reference for a strict resolver, which would take the start of `1:2` for a scheme.
  func relative() -> String {
    let startsPath = rest.first.map { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") } ?? false
    return (startsPath ? "./" : "") + Self.encoded(rest[...])
  }

  // Browsers take any number of slashes before the host.
  private var authorityAndPath: ArraySlice<UInt8> { rest.drop(while: { $0 == UInt8(ascii: "/") }) }

  private var authority: ArraySlice<UInt8> {
    authorityAndPath.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
  }

  private var afterAuthority: ArraySlice<UInt8> {
    authorityAndPath.dropFirst(authority.count)
  }

  private func validAuthority() -> String? {
    let bytes = authority
    // An at sign is user information; a percent sign between brackets is a zone of this machine.
    guard !bytes.isEmpty, !bytes.contains(UInt8(ascii: "@")), !bytes.contains(0),
      !(bytes.first == UInt8(ascii: "[") && bytes.contains(UInt8(ascii: "%")))
    else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func schemeLength(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let first = bytes.first,
      isLetter(first)
    else { return nil }
    let name = bytes[..<colon]
    let isScheme = name.allSatisfy {
      isLetter($0) || (48...57).contains($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
        || $0 == UInt8(ascii: ".")
    }
    return isScheme ? name.count : nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (97...122).contains(byte | 0x20)
  }

  private static func slashed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let query = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
    return bytes[..<query].map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
      + bytes[query...]
  }

  private static func encoded(_ bytes: ArraySlice<UInt8>) -> String {
    let query = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
    let path = bytes[..<query].split(
      separator: UInt8(ascii: "/"), maxSplits: .max, omittingEmptySubsequences: false)
    let cleanPath = path.map { dotSegment(PercentEncoding.path($0)) }.joined(separator: "/")
    return cleanPath + PercentEncoding.query(bytes[query...])
  }

  /// An encoded dot is a dot (WHATWG URL, "double-dot path segment").
  private static func dotSegment(_ segment: String) -> String {
    guard segment.utf8.count <= 6 else { return segment }
    switch segment.lowercased() {
    case "%2e": return "."
    case "%2e%2e", ".%2e", "%2e.": return ".."
    default: return segment
    }
  }
}
