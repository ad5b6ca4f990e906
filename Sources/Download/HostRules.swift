internal import Media

/// What an operator lays down for one host, or for those under a name.
package struct HostRule: Sendable, Hashable {
  /// Whether it is asked at all.
  package var isAllowed = true
  /// Connections at a time; nil for the usual number.
  package var concurrency: Int?
  /// The longest that one download may take; nil for the job's own time.
  package var timeout: Duration?
  /// How long an answer is fresh at least, whatever it says, but for no-store.
  package var leastFreshness: Duration?
  /// How long an answer is fresh at most.
  package var mostFreshness: Duration?

  package init() {}
}

/// The rules by host: the one of its own name, else of the longest name it lies under, else the one
/// of all hosts.
package struct HostRules: Sendable, Hashable {
  private var rules: [String: HostRule] = [:]

  package init() {}

  /// Sets the rule of `host.example`, of all hosts under a name (`*.host.example`), or of all (`*`).
  /// False for what is none of these.
  package mutating func set(_ rule: HostRule, for pattern: String) -> Bool {
    guard pattern != "*" else {
      rules["*"] = rule
      return true
    }
    let prefix = pattern.hasPrefix("*.") ? "*." : ""
    let name = pattern.dropFirst(prefix.utf8.count)
    guard !name.contains(where: { "/?#@:*".contains($0) }) || name.hasPrefix("["),
      let address = WebAddress("https://\(name)/")
    else { return false }
    rules[prefix + HostName.withoutRoot(address.host)] = rule
    return true
  }

  /// The rule for a host as `WebAddress` spells it.
  package func rule(for host: String) -> HostRule {
    if rules.isEmpty { return HostRule() }
    let host = HostName.withoutRoot(host)
    if let own = rules[host] { return own }
    var rest = host[...]
    while let dot = rest.firstIndex(of: ".") {
      rest = rest[rest.index(after: dot)...]
      if let wider = rules["*.\(rest)"] { return wider }
    }
    return rules["*"] ?? HostRule()
  }
}

extension HostRule {
  /// Throws `addressNotAllowed` where the host is not to be asked.
  func check(_ address: WebAddress) throws(DownloadFailure) {
    guard isAllowed else {
      throw .addressNotAllowed(address: address.host, reason: "the settings do not allow the host")
    }
  }
}
