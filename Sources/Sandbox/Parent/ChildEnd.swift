internal import Glibc

/// How a child ended, as the kernel tells it.
package struct ChildEnd: Sendable, Hashable {
  package enum Cause: Sendable, Hashable {
    case code(Int32)
    case signal(Int32)
  }

  package var cause: Cause
  package var cpuTime: Duration

  package init(cause: Cause, cpuTime: Duration) {
    self.cause = cause
    self.cpuTime = cpuTime
  }

  /// The failure of a child that ended by itself and gave no answer.
  package var failure: ChildFailure {
    switch cause {
    case .code(ChildExit.memoryCode): .outOfMemory
    case .code(ChildExit.protocolCode): .protocolViolation("it could not read its request")
    case .code(let code): .exited(code: code)
    case .signal(SIGSYS): .sandboxViolation
    case .signal(SIGXCPU): .timedOut
    case .signal(let signal): .crashed(signal: signal)
    }
  }
}

/// The high-water marks of a child.
package struct ChildPeaks: Sendable, Hashable {
  /// Bytes of address space (VmPeak), which RLIMIT_AS limits.
  package var addressSpace: Int
  /// Bytes resident (VmHWM).
  package var resident: Int

  /// Reads the text of /proc/<pid>/status; nil for a process that has ended.
  package init?(status: String) {
    var (peak, resident): (Int?, Int?)
    for line in status.split(separator: "\n") {
      let words = line.split { $0 == " " || $0 == "\t" }
      guard words.count == 3, words[2] == "kB", let kilobytes = Int(words[1]) else { continue }
      if words[0] == "VmPeak:" { peak = kilobytes * 1024 }
      if words[0] == "VmHWM:" { resident = kilobytes * 1024 }
    }
    guard let peak, let resident else { return nil }
    self.addressSpace = peak
    self.resident = resident
  }

  /// Whether the address space came so close to its limit that a stall is a failed allocation
  /// (libde265 then waits for a thread that never started).
  package func reached(_ limits: ChildLimits) -> Bool {
    addressSpace >= limits.addressSpace / 10 * 9
  }
}
