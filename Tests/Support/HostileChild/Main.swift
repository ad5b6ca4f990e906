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
    let calls = ForbiddenCalls(parent: Int(getppid()))
    ChildProgram.run(family: family) { (request: [UInt8], input, output) -> [UInt8] in
      let isPicture = (try? RenderRequest(decoding: request)) != nil
      let bytes = isPicture ? contents(of: input) : request
      let words = String(decoding: bytes, as: UTF8.self).split(separator: " ").map(String.init)
      return Behaviour(words: words, calls: calls, input: input, output: output).act()
    }
  }

  static func contents(of input: Int32) -> [UInt8] {
    MappedInput(input)?.withBytes { unsafe $0.withUnsafeBytes { unsafe Array($0) } } ?? []
  }
}
