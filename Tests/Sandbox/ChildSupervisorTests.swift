import Files
import Media
import Sandbox
import Testing

@Suite(.timeLimit(.minutes(2)))
struct ChildSupervisorTests {
  @Test func `a child reads the input, writes the output and answers`() async throws {
    let children = try HostileChildren()
    let result = try await children.run("echo", input: "fifteen letters").get()
    #expect(String(decoding: result.reply, as: UTF8.self) == "echoed 15")
    #expect(try result.output.bytes(0..<15) == Array("fifteen letters".utf8))
    #expect(try result.output.size() == 15)
    #expect((result.usage.peakBytes ?? 0) > 100_000)
    await children.supervisor.stop()
  }
}
