import Glibc
import TestSupport
import Testing

/// The progress line of long work (contract §1): on a terminal, and nowhere else.
@Suite(.timeLimit(.minutes(15))) struct ProgressLineTests {
  /// Runs a command with a terminal for its standard error, and takes down what it shows.
  private func onTerminal(_ arguments: [String]) async throws -> String {
    let words = [try Project.program("wirephoto")] + arguments
    let line = words.map { "'\($0)'" }.joined(separator: " ")
    return try await Command.tool("script", ["-qec", line, "/dev/null"]).run().text
  }

  private static func showsProgress(_ text: String) -> Bool {
    text.contains(" of ") && text.contains(" a second, ") && text.contains(" s left")
  }

  @Test func `render, warm and cache verify show count, rate and time left`() async throws {
    let site = try WarmSite.make(pictures: 3)
    let list = try site.folder.write(
      (0..<3).map { site.url("/\($0).jpg") }.joined(separator: "\n"), to: "list")
    let pictures = (0..<3).map { site.folder.path(of: "\($0).jpg") }
    let commands = [
      ["warm", "--cache", site.site.cache, "--allow-address", "127.0.0.0/8", list],
      ["cache", "verify", "--cache", site.site.cache],
      ["render", "-o", site.folder.path(of: "out/")] + pictures,
    ]
    for command in commands {
      #expect(Self.showsProgress(try await onTerminal(command)), "\(command[0])")
    }
    for command in commands {
      let plain = try await Command.built(
        "wirephoto", command + (command[0] == "render" ? ["--force"] : [])
      ).run()
      #expect(plain.ending == .exited(0))
      #expect(!Self.showsProgress(plain.errorText + plain.text))
    }
  }
}
