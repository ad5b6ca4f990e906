import Foundation
import Glibc
import Media
import Sandbox
import TestSupport
import Testing

/// What is left behind, seen from a process that does nothing else.
@Suite(.timeLimit(.minutes(15)))
struct LeakTests {
  static let behaviours = [
    "echo", "fault", "trap", "exit 3", "call socket-inet", "answer-twice", "garbage",
    "close-socket",
    "overfill-output", "endless-message", "allocate 4000000000", "sleep", "stop",
  ]

  @Test func `descriptors and children are back to the baseline after every behaviour`() async {
    await #expect(processExitsWith: .success) {
      let children = try HostileChildren(waiting: 2)
      _ = try await children.run("echo")
      try await children.settle()
      let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
      for behaviour in LeakTests.behaviours {
        _ = try await children.run(behaviour, deadline: .milliseconds(1500))
      }
      try await children.settle()
      let after = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
      #expect(after == before)
      #expect(await children.supervisor.census() == ChildCensus(waiting: 2))
      #expect(try ChildProcessList.ids(in: children.folder).count == 2)
      await children.supervisor.stop()
      #expect(try ChildProcessList.ids(in: children.folder).isEmpty)
    }
  }

  @Test func `children die with a parent that is killed`() async throws {
    let result = try await #require(
      processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]
    ) {
      let children = try HostileChildren(waiting: 3)
      children.supervisor.prepare([.image])
      async let _ = children.run("sleep", deadline: .seconds(60))
      while await children.supervisor.census() != ChildCensus(waiting: 3, working: 1) {
        await Task.yield()
      }
      let ids = try ChildProcessList.ids(in: children.folder)
      let line = Array(
        "children: \(ids.map(String.init).joined(separator: " "))\nfolder: \(children.folder)\n"
          .utf8)
      _ = unsafe write(STDOUT_FILENO, line, line.count)
      kill(getpid(), SIGKILL)
    }
    let text = String(decoding: result.standardOutputContent, as: UTF8.self)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("children: ") })
    // Who is killed cannot take its folder along.
    let folder = try #require(text.split(separator: "\n").first { $0.hasPrefix("folder: ") })
    let left = URL(fileURLWithPath: String(folder.dropFirst("folder: ".count)))
    try FileManager.default.removeItem(at: left.deletingLastPathComponent())
    let ids = line.dropFirst("children: ".count).split(separator: " ").compactMap { Int32($0) }
    #expect(ids.count == 4)
    for id in ids {
      while FileManager.default.fileExists(atPath: "/proc/\(id)") { await Task.yield() }
    }
  }
}
