import CHostileActs
import Glibc
import Media
import Sandbox

/// One thing a child may do, by name, with its arguments.
struct Behaviour {
  let words: [String]
  let calls: ForbiddenCalls
  let input: Int32
  let output: Int32

  /// Acts, and where it survives says so.
  func act() -> [UInt8] {
    let name = words.first ?? ""
    if let reply = Self.picture(name) { return reply.encoded }
    if let answer = harmless(name) { return answer }
    crash(name)
    stall(name)
    misspeak(name)
    return Array("survived \(name) \(number)".utf8)
  }

  private var number: Int { words.count > 1 ? Int(words[1]) ?? 0 : 0 }

  /// What an honest child does, and what the filter answers with an error.
  private func harmless(_ name: String) -> [UInt8]? {
    switch name {
    case "echo":
      let bytes = Program.contents(of: input)
      _ = unsafe write(output, bytes, bytes.count)
      return Array("echoed \(bytes.count)".utf8)
    case "time":
      var now = timespec()
      unsafe clock_gettime(CLOCK_MONOTONIC, &now)
      return Array("\(now.tv_sec * 1_000_000_000 + now.tv_nsec)".utf8)
    case "list-calls":
      return Array(calls.calls.keys.sorted().joined(separator: " ").utf8)
    case "list-descriptors":
      // Whatever can be closed was open; the control socket is needed for the answer.
      return Array(
        (1..<4096).filter { close($0) == 0 }.map(String.init).joined(separator: " ").utf8)
    case "list-environment":
      return Array(calls.environment.joined(separator: " ").utf8)
    case "write-input":
      return Array("returned \(unsafe write(input, "x", 1))".utf8)
    case "call":
      return Array("returned \(call(words[1]))".utf8)
    case "call-32-bit":
      return Array("returned \(hostile_call32(20))".utf8)
    case "thread":
      var thread = pthread_t()
      let error = unsafe pthread_create(&thread, nil, { _ in nil }, nil)
      if error == 0 { pthread_join(thread, nil) }
      return Array("thread \(error)".utf8)
    default:
      return nil
    }
  }

  /// The result, or the errno below zero.
  private func call(_ name: String) -> Int {
    guard let (number, arguments) = calls.calls[name] else { return 0 }
    let all = arguments + Array(repeating: 0, count: 6 - arguments.count)
    let result = hostile_call(Int(number), all[0], all[1], all[2], all[3], all[4], all[5])
    return result == -1 ? Int(-errno) : result
  }

  private func crash(_ name: String) {
    switch name {
    case "fault": hostile_fault()
    case "trap": preconditionFailure("as asked")
    case "abort": abort()
    case "break-heap": hostile_break_heap()
    case "recurse": _ = hostile_recurse(0)
    case "allocate": _ = [UInt8](repeating: 1, count: number).max()
    case "fill-memory": hostile_fill_memory()
    case "exit": _exit(Int32(number))
    case "overfill-output":
      let block = [UInt8](repeating: 7, count: 65_536)
      while unsafe write(output, block, block.count) > 0 {}
    default: break
    }
  }

  private func stall(_ name: String) {
    switch name {
    case "spin": while true {}
    case "sleep": hostile_sleep()
    case "fill-and-sleep":
      hostile_reserve_memory()
      hostile_sleep()
    case "stop": raise(SIGSTOP)
    case "close-socket":
      close(0)
      hostile_sleep()
    default: break
    }
  }

  private func misspeak(_ name: String) {
    switch name {
    case "answer-twice":
      say(Envelope.reply([1]).encoded)
      say(Envelope.reply([2]).encoded)
    case "answer-and-exit":
      say(Envelope.reply([1]).encoded)
      _exit(0)
    case "answer-and-stay":
      say(Envelope.reply([1]).encoded)
      hostile_sleep()
    case "answer-and-crash":
      say(Envelope.reply([1]).encoded)
      hostile_fault()
    case "ready-again":
      say(
        Envelope.ready(
          SandboxPosture(
            landlockABI: 9, seccomp: true, noNewPrivileges: true, resourceLimits: true)
        ).encoded)
    case "garbage": say((0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 200) })
    case "endless-message": say([UInt8](repeating: 3, count: MessageLimit.bytes + 4096))
    case "flood-standard-error":
      let block = [UInt8](repeating: 65, count: 65_536)
      for _ in 0..<1000 { _ = unsafe write(2, block, block.count) }
    default: break
    }
  }

  private func say(_ bytes: [UInt8]) {
    _ = unsafe write(0, bytes, bytes.count)
  }
}
