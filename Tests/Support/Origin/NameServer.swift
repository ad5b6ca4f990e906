internal import Glibc
internal import Synchronization

/// A name server that lies: it answers from a closure, or not at all. UDP, port 53, loopback.
package final class NameServer: Sendable {
  /// What to say about a name; IPv4 addresses in host order.
  package enum Answer: Sendable {
    case silence
    case addresses([UInt32])
  }

  package enum Failure: Error {
    case socket
  }

  private let socket: Int32
  private let delay: Duration
  private let count = Atomic(0)

  /// Starts answering, each question `delay` after it came; `answer` gets the name and how many
  /// address questions came before.
  package init(
    delay: Duration = .zero,
    _ answer: @escaping @Sendable (_ name: String, _ earlier: Int) -> Answer
  ) throws(Failure) {
    guard let socket = SocketName.datagrams("127.0.0.1", 53) else { throw .socket }
    self.socket = socket
    self.delay = delay
    OriginThread.run { [self] in serve(answer) }
  }

  /// Questions for IPv4 addresses so far.
  package var questions: Int { count.load(ordering: .relaxed) }

  private func serve(_ answer: (String, Int) -> Answer) {
    var buffer = [UInt8](repeating: 0, count: 1500)
    while true {
      var peer = sockaddr_storage()
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let received = unsafe withUnsafeMutablePointer(to: &peer) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
          unsafe recvfrom(socket, &buffer, buffer.count, 0, name, &size)
        }
      }
      guard received > 0 else { return }
      guard let reply = reply(to: Array(buffer.prefix(received)), answer) else { continue }
      guard delay > .zero else {
        send(reply, to: peer)
        continue
      }
      OriginThread.run { [self, peer] in
        let (seconds, attoseconds) = delay.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        unsafe nanosleep(&time, nil)
        send(reply, to: peer)
      }
    }
  }

  private func send(_ reply: [UInt8], to peer: sockaddr_storage) {
    var peer = peer
    unsafe withUnsafePointer(to: &peer) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        _ = unsafe sendto(
          socket, reply, reply.count, 0, name, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  /// RFC 1035 §4: header, the question as it came, one address record an answer, time to live 0.
  private func reply(to query: [UInt8], _ answer: (String, Int) -> Answer) -> [UInt8]? {
    guard query.count > 12, let question = Question(query.dropFirst(12)) else { return nil }
    var addresses: [UInt32] = []
    if question.isAddress {
      let earlier = count.add(1, ordering: .relaxed).oldValue
      guard case .addresses(let list) = answer(question.name, earlier) else { return nil }
      addresses = list
    } else if case .silence = answer(question.name, 0) {
      return nil
    }
    var reply = Array(query.prefix(2)) + [0x85, 0x80, 0, 1, 0, UInt8(addresses.count), 0, 0, 0, 0]
    reply += question.bytes
    for address in addresses {
      reply += [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4]
      reply += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: address >> $0) }
    }
    return reply
  }
}

/// The question of a query.
private struct Question {
  var name: String
  var isAddress: Bool
  var bytes: [UInt8]

  init?(_ query: ArraySlice<UInt8>) {
    var rest = query
    var labels: [String] = []
    while let length = rest.popFirst(), length > 0 {
      guard length < 64, rest.count >= length else { return nil }
      labels.append(String(decoding: rest.prefix(Int(length)), as: UTF8.self))
      rest = rest.dropFirst(Int(length))
    }
    guard rest.count >= 4 else { return nil }
    name = labels.joined(separator: ".").lowercased()
    isAddress = Array(rest.prefix(2)) == [0, 1]
    bytes = Array(query[..<(rest.startIndex + 4)])
  }
}
