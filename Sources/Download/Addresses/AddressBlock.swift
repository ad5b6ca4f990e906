/// A range of addresses with a common prefix (CIDR).
package struct AddressBlock: Sendable, Hashable {
  package let first: IPAddress
  /// Bits in common, 0…128; an IPv4 block counts the 96 bits of the mapped form too.
  package let prefixLength: Int

  private var mask: UInt128 { prefixLength == 0 ? 0 : UInt128.max << (128 - prefixLength) }

  package var last: IPAddress { IPAddress(bits: first.bits | ~mask) }

  package func contains(_ address: IPAddress) -> Bool {
    address.bits & mask == first.bits
  }

  /// Reads `10.0.0.0/8`, `fd00::/8`, or one address; nil for anything else, and for a block whose
  /// first address has bits beyond the prefix: more likely a slip than a wish.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard let name = parts.first, parts.count <= 2, let first = IPAddress(String(name)) else {
      return nil
    }
    let width = first.ipv4 == nil ? 128 : 32
    var length = width
    if parts.count == 2 {
      guard parts[1].utf8.allSatisfy({ (48...57).contains($0) }), let given = Int(parts[1]),
        given <= width
      else { return nil }
      length = given
    }
    self.first = first
    self.prefixLength = length + 128 - width
    guard contains(first) else { return nil }
  }
}

extension AddressBlock: CustomStringConvertible {
  package var description: String {
    "\(first)/\(first.ipv4 == nil ? prefixLength : prefixLength - 96)"
  }
}
