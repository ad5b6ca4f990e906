internal import Glibc
internal import Media

/// What a worker tells the service manager that started it (sd_notify(3)): datagrams to the socket
/// that NOTIFY_SOCKET names. Without one nothing is told.
package struct ServiceManager: Sendable {
  private let socketPath: String?
  /// Half of what the manager allows between two signs of life; nil where it asks for none.
  let watchdogInterval: Duration?

  package init(notifySocket: String?, watchdogMicroseconds: String?, watchdogProcess: String?) {
    socketPath = notifySocket.flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
    let isForUs = watchdogProcess.map { Int32($0) == getpid() } ?? true
    watchdogInterval =
      watchdogMicroseconds.flatMap { Int64($0) }
      .flatMap { isForUs && $0 > 0 ? .microseconds($0 / 2) : nil }
  }

  /// From the environment.
  package static var current: ServiceManager {
    func variable(_ name: String) -> String? {
      unsafe getenv(name).map { unsafe String(cString: $0) }
    }
    return ServiceManager(
      notifySocket: variable("NOTIFY_SOCKET"), watchdogMicroseconds: variable("WATCHDOG_USEC"),
      watchdogProcess: variable("WATCHDOG_PID"))
  }

  package func tellReady() { send("READY=1\nSTATUS=Taking jobs") }
  func tellWaiting(for path: String) { send("STATUS=Waiting for the job directory \(path)") }
  package func tellStopping() { send("STOPPING=1\nSTATUS=Finishing what is active") }

  /// Gives signs of life until the task is cancelled: from the threads that jobs run on, so that
  /// they stop when jobs do.
  func watch() async {
    guard let watchdogInterval else { return }
    while !Task.isCancelled {
      send("WATCHDOG=1")
      try? await Task.sleep(for: watchdogInterval)
    }
  }

  /// A manager that does not listen is no failure of ours. The corresponding C function is `sendto`.
  private func send(_ message: String) {
    guard let socketPath else { return }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var name = Array(socketPath.utf8)
    guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    // An abstract socket's name begins with a zero.
    if name.first == UInt8(ascii: "@") { name[0] = 0 }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { return }
    defer { close(number) }
    let bytes = Array(message.utf8)
    _ = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe sendto(number, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, length)
      }
    }
  }
}
