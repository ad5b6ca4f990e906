internal import Glibc
internal import Synchronization

/// A small HTTP/1.1 server on loopback that misbehaves on request (see `Behaviour`), and remembers
/// what it was asked.
package final class OriginServer: Sendable {
  /// The certificate and key files of a server that speaks TLS.
  package struct Identity: Sendable {
    package var certificate: String
    package var key: String

    package init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }

  package enum Failure: Error {
    case socket(String, Int32)
    case identity
  }

  private struct State {
    var requests: [OriginRequest] = []
    var sockets: Set<Int32> = []
    var connections: [String] = []
    var isStopped = false
    var active = 0
    var mostActive = 0
  }

  package let port: Int
  private let listener: Int32
  private let folder: String?
  private let tls: TLSContext?
  private let state = Mutex(State())

  /// Listens at once; `port` 0 takes a free one. Paths are served from `folder` where it holds
  /// them, else every path is a made-up picture of `size` bytes.
  package init(
    folder: String? = nil, identity: Identity? = nil, address: String = "127.0.0.1", port: Int = 0
  ) throws(Failure) {
    self.folder = folder
    if let identity {
      guard let tls = TLSContext(certificate: identity.certificate, key: identity.key) else {
        throw .identity
      }
      self.tls = tls
    } else {
      tls = nil
    }
    (listener, self.port) = try SocketName.listen(address, port)
    let weak = WeakServer(self)
    let listener = listener
    OriginThread.run { Self.acceptAll(listener, weak) }
  }

  deinit {
    stop()
    close(listener)
  }

  /// The address of a path on this server.
  package func url(_ path: String) -> String {
    "\(tls == nil ? "http" : "https")://127.0.0.1:\(port)\(path)"
  }

  /// What was asked so far, in order of arrival.
  package var requests: [OriginRequest] { state.withLock { $0.requests } }

  /// How many requests were being answered at once, at most.
  package var mostAtOnce: Int { state.withLock { $0.mostActive } }

  /// Connections that are open now.
  package var openConnections: Int { state.withLock { $0.sockets.count } }

  /// The address each connection so far was made to, with a request or without.
  package var connections: [String] { state.withLock { $0.connections } }

  /// Takes no more connections.
  package func stopListening() {
    shutdown(listener, Int32(SHUT_RDWR))
  }

  /// Ends the listener and every connection.
  package func stop() {
    let sockets = state.withLock { state -> Set<Int32> in
      state.isStopped = true
      return state.sockets
    }
    stopListening()
    for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) }
  }

  private static func acceptAll(_ listener: Int32, _ weak: WeakServer) {
    while true {
      let socket = accept(listener, nil, nil)
      _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
      guard socket >= 0 else { return }
      guard let server = weak.server, let number = server.admit(socket) else {
        close(socket)
        return
      }
      OriginThread.run { server.serve(OriginConnection(socket), number) }
    }
  }

  private func admit(_ socket: Int32) -> Int? {
    let address = SocketName.local(of: socket)
    return state.withLock { state in
      state.connections.append(address)
      state.sockets.insert(socket)
      return state.isStopped ? nil : state.connections.count
    }
  }

  private func serve(_ connection: OriginConnection, _ number: Int) {
    defer { state.withLock { _ = $0.sockets.remove(connection.socket) } }
    if let tls, !connection.secure(tls) { return }
    var pending: [UInt8] = []
    while let request = Self.readRequest(connection, &pending, number) {
      let earlier = state.withLock { state in
        defer { state.requests.append(request) }
        state.active += 1
        state.mostActive = max(state.mostActive, state.active)
        return state.requests.count { $0.path == request.path }
      }
      let behaviour = Behaviour(request).after(earlier)
      let answer = OriginAnswer(
        connection: connection, behaviour: behaviour, request: request,
        body: body(request.path, behaviour))
      let isOpen = answer.send()
      state.withLock { $0.active -= 1 }
      guard isOpen else { return }
    }
  }

  private func body(_ path: String, _ behaviour: Behaviour) -> [UInt8]? {
    guard let folder, behaviour.size == nil else { return Self.picture(behaviour.size ?? 10_000) }
    return OriginFolder.read(folder, behaviour.substitute ?? path)
  }

  /// Bytes that begin like a PNG and go on in a pattern without a short period.
  package static func picture(_ size: Int) -> [UInt8] {
    let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    return (0..<size).map {
      $0 < 8 ? signature[$0] : UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8)
    }
  }

  private static func readRequest(
    _ connection: OriginConnection, _ pending: inout [UInt8], _ number: Int
  ) -> OriginRequest? {
    while true {
      if let end = pending.firstRange(of: Array("\r\n\r\n".utf8)) {
        let text = String(decoding: pending[..<end.lowerBound], as: UTF8.self)
        pending.removeSubrange(..<end.upperBound)
        return OriginRequest(text, connection: number)
      }
      let more = connection.read()
      guard !more.isEmpty, pending.count < 100_000 else { return nil }
      pending += more
    }
  }
}

/// Lets the accepting thread end when nobody holds the server any more.
private final class WeakServer: Sendable {
  private let box: Mutex<Box>

  private struct Box {
    weak var server: OriginServer?
  }

  init(_ server: OriginServer) {
    box = Mutex(Box(server: server))
  }

  var server: OriginServer? { box.withLock { $0.server } }
}
