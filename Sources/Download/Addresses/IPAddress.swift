internal import Glibc

/// An Internet address of either family in 128 bits: IPv4 in its mapped form (::ffff:a.b.c.d), so
/// that one address has one value.
package struct IPAddress: Sendable, Hashable {
  package let bits: UInt128

  package init(bits: UInt128) {
    self.bits = bits
  }

  /// An IPv4 address, in host order.
  package init(ipv4: UInt32) {
    bits = 0xffff << 32 | UInt128(ipv4)
  }

  /// The four bytes of an IPv4 address, in host order; nil for IPv6.
  package var ipv4: UInt32? {
    bits >> 32 == 0xffff ? UInt32(truncatingIfNeeded: bits) : nil
  }
}

extension IPAddress {
  /// Reads dotted decimal or IPv6 text, without brackets and without a zone. The corresponding C
  /// function is `inet_pton`.
  package init?(_ text: String) {
    var four = in_addr()
    var six = in6_addr()
    if unsafe inet_pton(AF_INET, text, &four) == 1 {
      self.init(ipv4: UInt32(bigEndian: four.s_addr))
    } else if unsafe inet_pton(AF_INET6, text, &six) == 1 {
      self.init(six)
    } else {
      return nil
    }
  }

  /// The address of a socket; nil for families other than the Internet's.
  @unsafe init?(_ socketAddress: UnsafePointer<sockaddr>) {
    let bytes = unsafe UnsafeRawPointer(socketAddress)
    switch unsafe Int32(socketAddress.pointee.sa_family) {
    case AF_INET:
      let four = unsafe bytes.loadUnaligned(as: sockaddr_in.self)
      self.init(ipv4: UInt32(bigEndian: four.sin_addr.s_addr))
    case AF_INET6:
      self.init(unsafe bytes.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
    default:
      return nil
    }
  }

  private init(_ six: in6_addr) {
    bits = unsafe UInt128(
      bigEndian: withUnsafeBytes(of: six) { unsafe $0.loadUnaligned(as: UInt128.self) })
  }
}

extension IPAddress: CustomStringConvertible {
  /// Dotted decimal, or IPv6 text as RFC 5952 has it. The corresponding C function is `inet_ntop`.
  package var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = ipv4 == nil ? AF_INET6 : AF_INET
    var four = in_addr(s_addr: UInt32(truncatingIfNeeded: bits).bigEndian)
    var six = bits.bigEndian
    return unsafe text.withUnsafeMutableBufferPointer { buffer -> String in
      let size = socklen_t(buffer.count)
      let result =
        family == AF_INET
        ? unsafe inet_ntop(family, &four, buffer.baseAddress, size)
        : unsafe inet_ntop(family, &six, buffer.baseAddress, size)
      guard let result = unsafe result else { return "" }
      return unsafe String(cString: result)
    }
  }
}
