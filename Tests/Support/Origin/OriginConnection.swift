internal import CSSL
internal import Glibc

/// One accepted connection, in clear or under TLS. Used by one thread, but for `interrupt`.
@safe final class OriginConnection {
  let socket: Int32
  private var tls: OpaquePointer?

  init(_ socket: Int32) {
    self.socket = socket
    unsafe tls = nil
    // Header and body are written apart: Nagle's algorithm would hold the body back for 40 ms.
    var on: Int32 = 1
    unsafe setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
  }

  deinit {
    unsafe SSL_free(tls)
    close(socket)
  }

  /// Shakes hands; false when the client will not.
  func secure(_ context: TLSContext) -> Bool {
    unsafe tls = unsafe SSL_new(context.handle)
    unsafe SSL_set_fd(tls, socket)
    return unsafe SSL_accept(tls) == 1
  }

  /// At most 16 kB; empty at the end or after an error.
  func read() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 16_384)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      if let tls = unsafe tls {
        return unsafe Int(SSL_read(tls, buffer.baseAddress, Int32(buffer.count)))
      }
      return unsafe recv(socket, buffer.baseAddress, buffer.count, 0)
    }
    return Array(bytes.prefix(max(0, count)))
  }

  /// False when the client has gone.
  func write(_ bytes: some Collection<UInt8>) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { buffer in
        if let tls = unsafe tls {
          return unsafe Int(SSL_write(tls, buffer.baseAddress, Int32(buffer.count)))
        }
        return unsafe send(socket, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Waits until the client closes or `milliseconds` have passed (-1: for ever); true when it closed.
  func waitForClose(milliseconds: Int32) -> Bool {
    // POLLRDHUP needs _GNU_SOURCE, which Swift's Glibc module does without.
    var entry = pollfd(fd: socket, events: 0x2000, revents: 0)
    return unsafe poll(&entry, 1, milliseconds) > 0
  }

  /// Makes the coming close send RST.
  func resetOnClose() {
    var option = linger(l_onoff: 1, l_linger: 0)
    let size = socklen_t(MemoryLayout<linger>.size)
    unsafe setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, size)
  }
}
