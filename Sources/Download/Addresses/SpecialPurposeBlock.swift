/// A range that no public picture is served from, and its name in the registry.
package struct SpecialPurposeBlock: Sendable {
  package let block: AddressBlock
  package let name: String

  private static func table(_ rows: [(String, String)]) -> [SpecialPurposeBlock] {
    rows.map { text, name in
      guard let block = AddressBlock(text) else { preconditionFailure("bad table row \(text)") }
      return SpecialPurposeBlock(block: block, name: name)
    }
  }

  /// IANA's IPv4 Special-Purpose Address Registry (RFC 6890), multicast, and what clouds add.
  package static let ipv4: [SpecialPurposeBlock] = table([
    ("0.0.0.0/8", "this network"),
    ("10.0.0.0/8", "private use"),
    ("100.100.100.200/32", "cloud metadata"),
    ("100.64.0.0/10", "shared address space"),
    ("127.0.0.0/8", "loopback"),
    ("168.63.129.16/32", "cloud metadata"),
    ("169.254.169.254/32", "cloud metadata"),
    ("169.254.0.0/16", "link local"),
    ("172.16.0.0/12", "private use"),
    ("192.0.0.192/32", "cloud metadata"),
    ("192.0.0.0/24", "IETF protocol assignments"),
    ("192.0.2.0/24", "documentation"),
    ("192.31.196.0/24", "AS112 service"),
    ("192.52.193.0/24", "automatic multicast tunneling"),
    ("192.88.99.0/24", "6to4 relay"),
    ("192.168.0.0/16", "private use"),
    ("192.175.48.0/24", "AS112 service"),
    ("198.18.0.0/15", "benchmarking"),
    ("198.51.100.0/24", "documentation"),
    ("203.0.113.0/24", "documentation"),
    ("224.0.0.0/4", "multicast"),
    ("255.255.255.255/32", "limited broadcast"),
    ("240.0.0.0/4", "reserved"),
  ])

  /// IANA's IPv6 Special-Purpose Address Registry, multicast, deprecated site-local addresses, and
  /// every form that hides an IPv4 address but the mapped one, which has its own table.
  package static let ipv6: [SpecialPurposeBlock] = table([
    ("::/128", "unspecified"),
    ("::1/128", "loopback"),
    ("::/96", "IPv4-compatible"),
    ("::ffff:0:0:0/96", "IPv4-translated"),
    ("64:ff9b::/96", "NAT64"),
    ("64:ff9b:1::/48", "local-use NAT64"),
    ("100::/64", "discard only"),
    ("100:0:0:1::/64", "dummy prefix"),
    ("2001::/32", "Teredo"),
    ("2001::/23", "IETF protocol assignments"),
    ("2001:db8::/32", "documentation"),
    ("2002::/16", "6to4"),
    ("2620:4f:8000::/48", "AS112 service"),
    ("3fff::/20", "documentation"),
    ("5f00::/16", "segment routing"),
    ("fd00:ec2::254/128", "cloud metadata"),
    ("fc00::/7", "unique local"),
    ("fe80::/10", "link local"),
    ("fec0::/10", "site local"),
    ("ff00::/8", "multicast"),
  ])

  /// The only space from which IANA gives out global unicast addresses (RFC 4291 §2.4).
  static let globalUnicast = table([("2000::/3", "global unicast")])[0].block
}
