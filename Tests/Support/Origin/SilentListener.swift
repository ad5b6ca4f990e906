internal import Glibc

/// A port that nobody answers at, on every address of the machine, as long as this object lives.
package final class SilentListener: Sendable {
  package enum Manner: Sendable, Hashable {
    /// A SYN gets no answer: the queue of connections to be accepted is full.
    case unanswered
    /// Connections are made, and nothing is ever sent: a TLS handshake stalls.
    case mute
  }

  private let listener: Int32
  private let fillers: [Int32]

  package init(_ manner: Manner, port: Int) throws(OriginServer.Failure) {
    // The queue takes one connection more than its length says (listen(2)).
    let backlog: Int32 = manner == .unanswered ? 0 : 4096
    listener = try SocketName.listen("0.0.0.0", port, backlog: backlog).socket
    fillers =
      manner == .unanswered ? (0..<4).map { _ in SocketName.connect("127.0.0.1", port) } : []
  }

  deinit {
    for socket in fillers { close(socket) }
    close(listener)
  }
}
