internal import Download

/// What can be said of an address before it is parsed in earnest (Download does that).
enum PayloadAddress {
  /// The address without surrounding white space and control characters; nil when nothing is left.
  static func trimmed(_ text: String) -> String? {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !isPadding($0) }),
      let last = scalars.lastIndex(where: { !isPadding($0) })
    else { return nil }
    return String(scalars[first...last])
  }

  /// A web address as browsers would keep it: without tabs, line breaks, name and password; spaces
  /// percent-encoded. Any other address stays as it is.
  static func tidied(_ text: String) -> String {
    guard let scheme = scheme(of: text), scheme == "http" || scheme == "https" else { return text }
    var kept = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where ![0x09, 0x0A, 0x0D].contains(scalar.value) {
      if scalar == " " {
        kept.append(contentsOf: "%20".unicodeScalars)
      } else {
        kept.append(scalar)
      }
    }
    let clean = String(kept)
    guard let authority = authority(of: clean), let at = clean[authority].lastIndex(of: "@") else {
      return clean
    }
    return String(clean[..<authority.lowerBound]) + String(clean[clean.index(after: at)...])
  }

  /// Why an address cannot be fetched, which is shown without what follows a question mark.
  static func refusal(of text: String) -> String {
    let shown = tidied(text).prefix { $0 != "?" && !$0.isNewline }.prefix(120)
    if let port = WebAddress.refusedPort(text) { return "port \(port) is refused: \(shown)" }
    return "no http or https address that may be fetched: \(shown)"
  }

  /// The host as it is written, with its port; nil where there is none.
  static func shownHost(of text: String) -> String? {
    guard let authority = authority(of: text), !authority.isEmpty else { return nil }
    return String(text[authority])
  }

  /// What lies between the slashes and the path (RFC 3986 §3.2).
  private static func authority(of text: String) -> Range<String.Index>? {
    guard let scheme = scheme(of: text) else { return nil }
    let rest = text[text.utf8.index(text.startIndex, offsetBy: scheme.utf8.count + 1)...]
    let start = rest.firstIndex { $0 != "/" && $0 != "\\" } ?? rest.endIndex
    let end = text[start...].firstIndex { "/\\?#".contains($0) } ?? text.endIndex
    return start..<end
  }

  /// Whether it is an absolute http or https address with a host.
  static func isWeb(_ text: String) -> Bool {
    guard let scheme = scheme(of: text), scheme == "http" || scheme == "https" else { return false }
    let rest = text.utf8.dropFirst(scheme.utf8.count + 1)
    let host = rest.drop { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    guard let first = host.first, rest.count > host.count else { return false }
    return !"?#:@".utf8.contains(first) && !text.utf8.contains { $0 == 0x20 || $0 < 0x20 }
  }

  /// Whether a notification may open it: the web, or an app's own scheme; nothing that runs or
  /// reads on the device itself.
  static func mayBeOpened(_ text: String) -> Bool {
    switch scheme(of: text) {
    case nil, "javascript", "vbscript", "data", "file", "blob", "about", "view-source": false
    case "http", "https": isWeb(text)
    default: true
    }
  }

  /// The scheme in lower case (RFC 3986 §3.1).
  static func scheme(of text: String) -> String? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = text.utf8[..<colon]
    guard let first = scheme.first, isLetter(first), scheme.count <= 40,
      scheme.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) })
    else { return nil }
    return String(text[..<colon]).lowercased()
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte & 0xDF)
  }

  private static func isPadding(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.value < 0x20 || scalar.value == 0xFEFF
  }
}
