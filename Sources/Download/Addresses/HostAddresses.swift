internal import Glibc

/// The addresses of this host's own interfaces.
enum HostAddresses {
  /// Asks the kernel; an empty set when it does not tell. The corresponding C function is
  /// `getifaddrs`.
  static func current() -> Set<IPAddress> {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&list) == 0 else { return [] }
    defer { unsafe freeifaddrs(list) }
    var addresses: Set<IPAddress> = []
    var next = unsafe list
    while let entry = unsafe next {
      if let socketAddress = unsafe entry.pointee.ifa_addr,
        let address = unsafe IPAddress(UnsafePointer(socketAddress))
      {
        addresses.insert(address)
      }
      unsafe next = entry.pointee.ifa_next
    }
    return addresses
  }
}
