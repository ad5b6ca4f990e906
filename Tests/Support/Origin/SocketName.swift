internal import Glibc

/// IPv4 sockets by address and port.
enum SocketName {
  /// A listening socket and its port; 0 takes a free one. The port stays taken until the socket is
  /// closed, also when it listens no more.
  static func listen(
    _ address: String, _ port: Int, backlog: Int32 = 256
  ) throws(OriginServer.Failure) -> (socket: Int32, port: Int) {
    // A port that the system chose is given to others at shutdown(2); one asked for by number is
    // kept (SOCK_BINDPORT_LOCK in Linux's tcp_set_state). So the number is found out first, and
    // held by a second socket meanwhile.
    let holder = try stream(boundTo: address, port)
    defer { close(holder) }
    let port = Int(UInt16(bigEndian: name(of: holder).sin_port))
    let listener = try stream(boundTo: address, port)
    guard Glibc.listen(listener, backlog) == 0 else {
      let number = errno
      close(listener)
      throw .socket("listen", number)
    }
    return (listener, port)
  }

  private static func stream(
    boundTo address: String, _ port: Int
  ) throws(OriginServer.Failure) -> Int32 {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw .socket("socket", errno) }
    var on: Int32 = 1
    unsafe setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &on, 4)
    guard bind(number, address, port) else {
      let reason = errno
      close(number)
      throw .socket("bind", reason)
    }
    return number
  }

  /// A datagram socket bound to a port; nil where that is not allowed.
  static func datagrams(_ address: String, _ port: Int) -> Int32? {
    let number = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { return nil }
    if bind(number, address, port) { return number }
    close(number)
    return nil
  }

  /// The address a connection was made to.
  static func local(of socket: Int32) -> String {
    var address = name(of: socket).sin_addr
    var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
    return unsafe text.withUnsafeMutableBufferPointer { buffer in
      guard
        let result = unsafe inet_ntop(
          AF_INET, &address, buffer.baseAddress, socklen_t(buffer.count))
      else { return "" }
      return unsafe String(cString: result)
    }
  }

  /// A socket on its way to being connected, which nobody waits for.
  static func connect(_ address: String, _ port: Int) -> Int32 {
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let number = socket(AF_INET, Int32(type), 0)
    _ = unsafe withName(address, port) {
      unsafe Glibc.connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
    return number
  }

  private static func bind(_ socket: Int32, _ address: String, _ port: Int) -> Bool {
    unsafe withName(address, port) {
      unsafe Glibc.bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
    }
  }

  private static func withName<Result>(
    _ address: String, _ port: Int, _ body: (UnsafePointer<sockaddr>) -> Result
  ) -> Result {
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
    unsafe inet_pton(AF_INET, address, &name.sin_addr)
    return unsafe withUnsafePointer(to: &name) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0) }
    }
  }

  private static func name(of socket: Int32) -> sockaddr_in {
    var name = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    unsafe withUnsafeMutablePointer(to: &name) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = unsafe getsockname(socket, $0, &size)
      }
    }
    return name
  }
}
