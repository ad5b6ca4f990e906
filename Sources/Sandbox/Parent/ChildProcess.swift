internal import CSystemShims
internal import Files
internal import Glibc

/// A running child: its process, and our end of its control socket. Lives on the supervisor's
/// thread.
final class ChildProcess {
  let id: Int32
  let pidfd: Descriptor
  let control: Descriptor

  private init(id: Int32, pidfd: consuming Descriptor, control: consuming Descriptor) {
    self.id = id
    self.pidfd = pidfd
    self.control = control
  }

  /// Starts a child with its end of the socket as descriptor 0, and nothing to write to but
  /// `standardError`. It dies with the calling thread. The corresponding C function is `clone`.
  static func start(
    _ path: String, standardError: borrowing Descriptor
  ) throws(SystemCallFailure) -> ChildProcess {
    var ends: [Int32] = [-1, -1]
    _ = try retryingOnInterrupt("socketpair") {
      unsafe ends.withUnsafeMutableBufferPointer { buffer in
        guard let first = buffer.baseAddress else { return -1 }
        return unsafe csystem_socket_pair(first)
      }
    }
    let ours = Descriptor(adopting: ends[0])
    let theirs = Descriptor(adopting: ends[1])
    let descriptors = [theirs.number, standardError.number, standardError.number]
    let limits = ChildLimits.ceiling.resources
    var pidfd: Int32 = -1
    let id = try retryingOnInterrupt("exec", path: path) {
      unsafe withCStrings([path]) { arguments in
        unsafe withCStrings(environment) { environment in
          unsafe csystem_spawn(
            path, arguments, environment, descriptors, Int32(descriptors.count), limits,
            Int32(limits.count), &pidfd)
        }
      }
    }
    return ChildProcess(id: id, pidfd: Descriptor(adopting: pidfd), control: ours)
  }

  /// Nothing of ours is inherited. One heap keeps the address space small (glibc reserves 64 MB
  /// for each thread's), and libimagequant's OpenMP must not start threads.
  private static let environment = ["MALLOC_ARENA_MAX=1", "OMP_NUM_THREADS=1"]

  /// Sends the request with the two descriptors. False where the child is gone or does not listen.
  func send(_ request: [UInt8], input: borrowing Descriptor, output: borrowing Descriptor) -> Bool {
    let bytes = Envelope.request(request).encoded
    let descriptors = [input.number, output.number]
    let sent = unsafe bytes.withUnsafeBytes { buffer -> Int in
      guard let address = buffer.baseAddress else { return -1 }
      return unsafe csystem_send(control.number, address, buffer.count, descriptors, 2)
    }
    return sent == bytes.count
  }

  /// What the control socket holds.
  enum Received {
    case message([UInt8])
    case nothing
    case end
  }

  /// Takes one message, never blocking; one that is too long comes cut, and one byte too long.
  func receive(into buffer: inout [UInt8]) -> Received {
    let number = control.number
    let count = unsafe buffer.withUnsafeMutableBytes { bytes -> Int in
      guard let address = bytes.baseAddress else { return -1 }
      return unsafe csystem_receive_plain(number, address, bytes.count)
    }
    if count > 0 { return .message(Array(buffer[..<min(count, buffer.count)])) }
    if count < 0, errno == EAGAIN || errno == EINTR { return .nothing }
    return .end
  }

  /// Tells the child that nothing more will come, upon which an honest one ends. The corresponding
  /// C function is `shutdown`.
  func dismiss() {
    _ = shutdown(control.number, Int32(SHUT_WR))
  }

  /// The corresponding C function is `pidfd_send_signal` with SIGKILL.
  func kill() {
    _ = csystem_signal(pidfd.number, SIGKILL)
  }

  /// Lowers the limits from outside. The corresponding C function is `prlimit`.
  func limit(to limits: ChildLimits) -> Bool {
    limits.resources.allSatisfy { csystem_set_limit(id, $0) == 0 }
  }

  /// How it ended; nil while it runs. The corresponding C function is `waitid`.
  func reap() -> ChildEnd? {
    var ended = csystem_exit()
    let result = unsafe csystem_reap(pidfd.number, &ended)
    if result == 0 { return nil }
    // Somebody else reaped it: no more can be known.
    guard result == 1 else { return ChildEnd(cause: .signal(SIGKILL), cpuTime: .zero) }
    return ChildEnd(
      cause: ended.code == CLD_EXITED ? .code(ended.status) : .signal(ended.status),
      cpuTime: .microseconds(Int64(clamping: ended.cpu_microseconds)))
  }

  /// The peaks of a child that still lives, from its `status` in /proc: wait4 tells only the larger
  /// of its peak and the parent's.
  func peaks() -> ChildPeaks? {
    guard let file = try? Descriptor.open("/proc/\(id)/status", flags: O_RDONLY),
      let bytes = try? file.readToEnd(limit: 16 << 10)
    else { return nil }
    return ChildPeaks(status: String(decoding: bytes, as: UTF8.self))
  }
}

/// A null-terminated array of C strings, as execve takes it, for the length of the call.
@unsafe
private func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var pointers = unsafe strings.map { unsafe strdup($0) }
  unsafe pointers.append(nil)
  defer { unsafe pointers.forEach { unsafe free($0) } }
  return unsafe pointers.withUnsafeBufferPointer { buffer in
    guard let first = buffer.baseAddress else { preconditionFailure("never empty") }
    return unsafe body(first)
  }
}
