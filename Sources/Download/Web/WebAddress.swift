internal import CCurl
internal import Glibc

/// An absolute http or https address in the one spelling that is compared, stored, requested and
/// shown: host lower-case and in punycode, dot segments gone, default port and fragment dropped,
/// everything beyond ASCII percent-encoded. Read as browsers read it (WHATWG URL), then by libcurl's
/// own parser, so that the checked host is the host connected to.
package struct WebAddress: Sendable, Hashable, CustomStringConvertible {
  /// Bytes, before and after normalisation.
  package static let maximumLength = 8192

  /// The normalised spelling.
  package let description: String
  /// `http` or `https`.
  package let scheme: String
  /// Lower-case, in punycode; an IPv6 address without brackets.
  package let host: String
  package let port: Int

  /// Reads an absolute address; nil for another scheme, a name or password before the host, a host
  /// or port that cannot be, or one that is too long.
  package init?(_ text: String) {
    self.init(bytes: Array(text.utf8))
  }

  /// The same for bytes of unknown encoding, as a Location field has them.
  package init?(bytes: [UInt8]) {
    guard let spelling = AddressSpelling(bytes), let scheme = spelling.scheme,
      let text = spelling.absolute(scheme: scheme)
    else { return nil }
    self.init(cleaned: text, beyondASCII: spelling.hasForeignHost)
  }

  /// What `reference` means on the page or answer at this address: absolute, protocol-relative or
  /// relative; nil where it means no address that can be fetched.
  package func resolve(_ reference: String) -> WebAddress? {
    resolve(bytes: Array(reference.utf8))
  }

  package func resolve(bytes: [UInt8]) -> WebAddress? {
    guard let spelling = AddressSpelling(bytes) else { return nil }
    if let given = spelling.scheme {
      guard given == scheme, !spelling.hasAuthority else { return WebAddress(bytes: bytes) }
    } else if spelling.hasAuthority {
      return WebAddress(bytes: Array("\(scheme):".utf8) + spelling.rest)
    }
    let relative = spelling.relative()
    if relative.isEmpty { return self }
    let url = CurlURL()
    guard url.set(description), url.set(relative), let text = url.get(CURLUPART_URL) else {
      return nil
    }
    return WebAddress(text)
  }

  /// The port of an absolute address that is refused for it alone (`PortRules`); nil where it is not.
  package static func refusedPort(_ text: String) -> Int? {
    guard let spelling = AddressSpelling(Array(text.utf8)), let scheme = spelling.scheme,
      let whole = spelling.absolute(scheme: scheme)
    else { return nil }
    let url = CurlURL()
    guard url.set(whole), let port = url.get(CURLUPART_PORT).flatMap({ Int($0) }),
      !PortRules.isAcceptable(port)
    else { return nil }
    return port
  }

  private init?(cleaned text: String, beyondASCII: Bool) {
    guard let first = Self.normalise(text, beyondASCII: beyondASCII),
      // Punycode conversion may have made an IPv4 spelling out of wide digits: read it once more.
      let second = Self.normalise(first, beyondASCII: false),
      second.utf8.count <= Self.maximumLength
    else { return nil }
    let url = CurlURL()
    guard url.set(second), let scheme = url.get(CURLUPART_SCHEME),
      let host = url.get(CURLUPART_HOST),
      let port = url.get(CURLUPART_PORT, flags: CURLU_DEFAULT_PORT).flatMap({ Int($0) }),
      HostName.isAcceptable(host), PortRules.isAcceptable(port)
    else { return nil }
    self.description = second
    self.scheme = scheme
    self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    self.port = port
  }

  private static func normalise(_ text: String, beyondASCII: Bool) -> String? {
    let url = CurlURL()
    guard url.set(text) else { return nil }
    let flags = CURLU_NO_DEFAULT_PORT | CURLU_PUNYCODE
    guard beyondASCII else {
      return url.get(CURLUPART_URL, flags: flags).map(HostName.lowercasingAuthority)
    }
    return UTF8Locale.using {
      // Wide forms of slash, colon and percent become the plain ones, and must not end the host.
      guard let host = url.get(CURLUPART_HOST, flags: CURLU_PUNYCODE),
        HostName.isMadeOfNameBytes(host.lowercased())
      else { return nil }
      return url.get(CURLUPART_URL, flags: flags).map(HostName.lowercasingAuthority)
    }
  }
}

extension WebAddress {
  /// The spelling for logs and metrics: what follows the question mark may be a secret.
  package var redacted: String {
    guard let mark = description.firstIndex(of: "?") else { return description }
    return description[..<mark] + "?[redacted]"
  }

  package var isSecure: Bool { scheme == "https" }

  /// The address that the host is spelt as, where it is no name.
  package var literal: IPAddress? { IPAddress(host) }

  /// Whether two addresses lead to the same server by the same way (RFC 6454).
  package func hasSameOrigin(as other: WebAddress) -> Bool {
    (scheme, host, port) == (other.scheme, other.host, other.port)
  }
}

/// The character set that libidn2 takes names in. It asks the thread's locale, and the process may
/// well run in plain "C".
private enum UTF8Locale {
  static func using<Result>(_ body: () -> Result) -> Result {
    // LC_CTYPE_MASK is a macro that Swift does not import.
    let characterTypes = Int32(1) << LC_CTYPE
    guard let locale = unsafe newlocale(characterTypes, "C.UTF-8", nil) else { return body() }
    let previous = unsafe uselocale(locale)
    defer {
      unsafe uselocale(previous)
      unsafe freelocale(locale)
    }
    return body()
  }
}
