import Media
import Sandbox
import TestSupport
import Testing

/// Children that cannot or must not be used.
@Suite(.timeLimit(.minutes(15)))
struct UnfitChildTests {
  @Test func `a child without a filter gets no input when the sandbox is required`() async throws {
    let children = try HostileChildren(marker: "unconfined")
    let failure = try await children.failure("echo")
    guard case .unavailable(let reason) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(reason.contains("network, exec"))
    #expect(await children.supervisor.census().working == 0)
    #expect(try await children.supervisor.posture().isSufficient == false)
    await children.supervisor.stop()
  }

  @Test func `and is used where best effort will do`() async throws {
    let children = try HostileChildren(marker: "unconfined", mode: .bestEffort)
    #expect(try await children.run("echo").get().reply == Array("fed".utf8))
    await children.supervisor.stop()
  }

  @Test func `a child that dies at its start makes the family unavailable`() async throws {
    let children = try HostileChildren(marker: "dies-at-start")
    let failure = try await children.failure("echo")
    guard case .unavailable(let reason) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(reason.contains("code 5"))
    await children.supervisor.stop()
  }

  @Test func `a child that is never ready costs the job its time and no more`() async throws {
    let children = try HostileChildren(marker: "never-ready")
    #expect(try await children.failure("echo", deadline: .milliseconds(300)) == .timedOut)
    await children.supervisor.stop()
    #expect(try ChildProcessList.ids(in: children.folder).isEmpty)
  }

  @Test func `a missing executable is named`() async throws {
    let folder = try TemporaryDirectory()
    let supervisor = try ChildSupervisor(ChildConfiguration(directories: [folder.path]))
    await #expect(
      throws: ChildFailure.unavailable("no wirephoto-image-decoder in \(folder.path)")
    ) {
      try await supervisor.posture()
    }
    await supervisor.stop()
  }

  @Test func `a program that cannot run is unavailable`() async throws {
    let folder = try TemporaryDirectory()
    try folder.write("no program", to: "wirephoto-page-reader")
    chmodExecutable(folder.path(of: "wirephoto-page-reader"))
    let supervisor = try ChildSupervisor(ChildConfiguration(directories: [folder.path]))
    await #expect(throws: ChildFailure.self) { try await supervisor.posture(of: .page) }
    await supervisor.stop()
  }
}
