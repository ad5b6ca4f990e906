/// Which addresses a connection may be made to: public ones, and those that the operator lists.
package struct AddressPolicy: Sendable {
  /// Blocks that are reachable although they are special (`--allow-address`).
  package let allowed: [AddressBlock]

  package init(allowing allowed: [AddressBlock] = []) {
    self.allowed = allowed
  }

  /// Why `address` is refused, as a few words; nil when it may be connected to.
  /// `own` are the addresses of this host: a public one of them still leads inside.
  package func refusal(of address: IPAddress, own: Set<IPAddress> = []) -> String? {
    if allows(address) { return nil }
    if own.contains(address) { return "an address of this host" }
    if let ipv4 = address.ipv4 { return refusal(ofIPv4: ipv4) }
    if let special = SpecialPurposeBlock.ipv6.first(where: { $0.block.contains(address) }) {
      return "\(special.name) (\(special.block))"
    }
    guard SpecialPurposeBlock.globalUnicast.contains(address) else {
      return "outside global unicast (\(SpecialPurposeBlock.globalUnicast))"
    }
    return intraSite(address).flatMap { refusal(ofIPv4: $0) }.map { "ISATAP of \($0)" }
  }

  /// Whether the operator's list names the address.
  package func allows(_ address: IPAddress) -> Bool {
    allowed.contains { $0.contains(address) }
  }

  private func refusal(ofIPv4 address: UInt32) -> String? {
    let mapped = IPAddress(ipv4: address)
    guard let special = SpecialPurposeBlock.ipv4.first(where: { $0.block.contains(mapped) }) else {
      return nil
    }
    return "\(special.name) (\(special.block))"
  }

  /// The IPv4 address in an ISATAP interface identifier, [02]00:5efe:a.b.c.d (RFC 5214 §6.1).
  private func intraSite(_ address: IPAddress) -> UInt32? {
    let identifier = UInt32(truncatingIfNeeded: address.bits >> 32)
    guard identifier & ~0x0200_0000 == 0x0000_5efe else { return nil }
    return UInt32(truncatingIfNeeded: address.bits)
  }
}
