/// What a host may look like once it is in ASCII.
enum HostName {
  /// Whether a resolver could know it: an address literal, or labels of letters, digits, hyphen and
  /// underscore. A name whose last label is a number is an IPv4 address or nothing (WHATWG URL §3.5).
  static func isAcceptable(_ host: String) -> Bool {
    if host.hasPrefix("[") { return IPAddress(String(host.dropFirst().dropLast())) != nil }
    guard host.utf8.count <= 254, isMadeOfNameBytes(host) else { return false }
    var labels = host.split(separator: ".", omittingEmptySubsequences: false)
    if labels.last == "" { labels.removeLast() }
    guard let last = labels.last, labels.allSatisfy({ !$0.isEmpty && $0.utf8.count <= 63 }) else {
      return false
    }
    return !isNumber(last) || IPAddress(host) != nil
  }

  /// `host.example.` is the same host as `host.example` (RFC 1034 §3.1).
  static func withoutRoot(_ host: String) -> String {
    host.hasSuffix(".") ? String(host.dropLast()) : host
  }

  /// Whether every byte is a lower-case letter, a digit, hyphen, underscore or dot.
  static func isMadeOfNameBytes(_ host: String) -> Bool {
    host.utf8.allSatisfy(isNameByte)
  }

  /// The address with its scheme and authority in lower case.
  static func lowercasingAuthority(_ text: String) -> String {
    guard let authority = text.firstRange(of: "://")?.upperBound else { return text }
    let end = text[authority...].firstIndex(where: { "/?#".contains($0) }) ?? text.endIndex
    return text[..<end].lowercased() + text[end...]
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  private static func isNumber(_ label: Substring) -> Bool {
    if label.utf8.allSatisfy({ (48...57).contains($0) }) { return true }
    guard label.hasPrefix("0x") else { return false }
    return label.utf8.dropFirst(2).allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}
