import Glibc
import Media
import Sandbox

/// A child that has been taken over: it does what the request names. A picture request carries no
/// name, so that there the input does; what happens before any request is named by the path.
@main
struct Program {
  static func main() {
    let path = CommandLine.arguments.first ?? ""
    let family = ChildFamily.allCases.first { path.hasSuffix($0.executableName) } ?? .image
    if path.contains("dies-at-start") { exit(5) }
    while path.contains("never-ready") { pause() }
    if path.contains("unconfined") { pretend() }
    let calls = ForbiddenCalls(parent: Int(getppid()), environment: environment)
    ChildProgram.run(family: family, warmUp: leaveOpen) {
      (request: [UInt8], input, output) -> [UInt8] in
      let isPicture = (try? RenderRequest(decoding: request)) != nil
      let bytes = isPicture ? acts(in: contents(of: input)) : request[...]
      let words = String(decoding: bytes, as: UTF8.self).split(separator: " ").map(String.init)
      return Behaviour(words: words, calls: calls, input: input, output: output).act()
    }
  }

  /// What follows `acts: ` in a file that begins as a picture; a file without it says nothing else.
  private static func acts(in bytes: [UInt8]) -> ArraySlice<UInt8> {
    guard let marker = bytes.firstRange(of: Array("acts: ".utf8)) else { return bytes[...] }
    return bytes[marker.upperBound...]
  }

  /// What a careless library does: the descriptor must not be there afterwards.
  private static func leaveOpen() {
    _ = unsafe open("/dev/null", O_RDONLY)
  }

  /// Comes without a filter, as on a kernel that has none; answers at once when it is fed.
  private static func pretend() -> Never {
    let posture = SandboxPosture(
      landlockABI: 2, seccomp: false, noNewPrivileges: true, resourceLimits: true)
    for envelope in [Envelope.ready(posture), .reply(Array("fed".utf8))] {
      let bytes = envelope.encoded
      _ = unsafe write(0, bytes, bytes.count)
      var byte: UInt8 = 0
      _ = unsafe read(0, &byte, 1)
    }
    exit(0)
  }

  private static var environment: [String] {
    var strings: [String] = []
    var next = unsafe environ
    while let string = unsafe next.pointee {
      strings.append(unsafe String(cString: string))
      unsafe next += 1
    }
    return strings
  }

  static func contents(of input: Int32) -> [UInt8] {
    MappedInput(input)?.withBytes { unsafe $0.withUnsafeBytes { unsafe Array($0) } } ?? []
  }
}
