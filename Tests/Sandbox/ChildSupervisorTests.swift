import Files
import Glibc
import Media
import Sandbox
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15)))
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

  @Test func `the output can never change again`() async throws {
    let children = try HostileChildren()
    let output = try await children.run("echo", input: "abc").get().output
    let number = output.descriptor.number
    #expect(unsafe pwrite(number, "x", 1, 0) == -1)
    #expect(ftruncate(number, 0) == -1)
    #expect(ftruncate(number, 100) == -1)
    #expect(try output.bytes(0..<3) == Array("abc".utf8))
    await children.supervisor.stop()
  }

  @Test func `every layer holds on this machine, as the kernel tells`() async throws {
    let children = try HostileChildren()
    for family in ChildFamily.allCases {
      let posture = try await children.supervisor.posture(of: family)
      #expect(posture.isSufficient)
      #expect(posture.noNewPrivileges)
    }
    for id in try ChildProcessList.ids(in: children.folder) {
      let status = String(decoding: try FileBytes.read("/proc/\(id)/status"), as: UTF8.self)
      #expect(status.contains("\nSeccomp:\t2\n"))
      #expect(status.contains("\nNoNewPrivs:\t1\n"))
    }
    await children.supervisor.stop()
  }

  @Test func `children are started for a family in use, and for no other`() async throws {
    let children = try HostileChildren(waiting: 2)
    #expect(await children.supervisor.census() == ChildCensus())
    _ = try await children.run("echo", family: .heif).get()
    try await children.settle()
    #expect(await children.supervisor.census() == ChildCensus(waiting: 2))
    let lines = try ChildProcessList.ids(in: children.folder).map { id in
      String(decoding: try FileBytes.read("/proc/\(id)/cmdline"), as: UTF8.self)
    }
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.contains("wirephoto-heif-decoder") })
    await children.supervisor.stop()
  }

  @Test func `none waits where none is wanted`() async throws {
    let children = try HostileChildren(waiting: 0)
    _ = try await children.run("echo").get()
    try await children.settle()
    #expect(await children.supervisor.census() == ChildCensus())
    await children.supervisor.stop()
  }

  @Test func `a waiting child that dies is replaced`() async throws {
    let children = try HostileChildren()
    children.supervisor.prepare([.image])
    _ = try await children.supervisor.posture()
    let before = try ChildProcessList.ids(in: children.folder)
    #expect(before.count == 1)
    for id in before { kill(id, SIGKILL) }
    var after = before
    while after == before || after.isEmpty {
      _ = await children.supervisor.census()
      after = try ChildProcessList.ids(in: children.folder)
    }
    #expect(try await children.run("echo", input: "x").get().reply == Array("echoed 1".utf8))
    await children.supervisor.stop()
  }

  @Test func `a child serves one input and no second`() async throws {
    let children = try HostileChildren()
    children.supervisor.prepare([.image])
    _ = try await children.supervisor.posture()
    let first = try ChildProcessList.ids(in: children.folder)
    _ = try await children.run("echo").get()
    _ = try await children.supervisor.posture()
    #expect(Set(try ChildProcessList.ids(in: children.folder)).isDisjoint(with: first))
    await children.supervisor.stop()
  }

  @Test func `a cancelled task kills its child`() async throws {
    let children = try HostileChildren(waiting: 0)
    let task = Task { try await children.failure("sleep", deadline: .seconds(60)) }
    while await children.supervisor.census().working == 0 { await Task.yield() }
    task.cancel()
    #expect(try await task.value == .cancelled)
    try await children.settle()
    #expect(await children.supervisor.census() == ChildCensus())
    await children.supervisor.stop()
  }

  @Test func `a task cancelled before it asks gets no child`() async throws {
    let children = try HostileChildren(waiting: 0)
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await children.failure("echo")
    }
    #expect(try await task.value == .cancelled)
    #expect(await children.supervisor.census() == ChildCensus())
    await children.supervisor.stop()
  }

  @Test func `jobs wait for room, the earliest deadline first`() async throws {
    let children = try HostileChildren(waiting: 0, maxChildren: 1)
    let first = Task { try await children.failure("sleep", deadline: .seconds(100)) }
    while await children.supervisor.census().working == 0 { await Task.yield() }
    async let later = children.run("time", deadline: .seconds(90))
    async let soon = children.run("time", deadline: .seconds(80))
    async let last = children.run("time", deadline: .seconds(95))
    while await children.supervisor.census().queuedJobs < 3 { await Task.yield() }
    first.cancel()
    let times = [try await soon, try await later, try await last].map { outcome in
      (try? outcome.get()).flatMap { Int(String(decoding: $0.reply, as: UTF8.self)) } ?? 0
    }
    #expect(times == times.sorted())
    #expect(times.first ?? 0 > 0)
    await children.supervisor.stop()
  }

  @Test func `a job whose time runs out in the queue is told so`() async throws {
    let children = try HostileChildren(waiting: 0, maxChildren: 1)
    let first = Task { try await children.failure("sleep", deadline: .seconds(100)) }
    while await children.supervisor.census().working == 0 { await Task.yield() }
    #expect(try await children.failure("echo", deadline: .milliseconds(100)) == .timedOut)
    #expect(await children.supervisor.census() == ChildCensus(working: 1))
    first.cancel()
    #expect(try await first.value == .cancelled)
    await children.supervisor.stop()
  }

  @Test func `an input that could change is refused`() async throws {
    let children = try HostileChildren(waiting: 0)
    let open = try MemoryFile.create("open")
    await #expect(throws: ChildFailure.unavailable("the input could be changed")) {
      try await children.supervisor.run(
        .image, request: [], input: open, deadline: .after(.seconds(20)))
    }
    await children.supervisor.stop()
  }

  @Test func `stopping ends every child and refuses later jobs`() async throws {
    let children = try HostileChildren(waiting: 3)
    async let job = children.failure("sleep", deadline: .seconds(60))
    while await children.supervisor.census().working == 0 { await Task.yield() }
    await children.supervisor.stop()
    #expect(try await job == .unavailable("shutting down"))
    #expect(try ChildProcessList.ids(in: children.folder).isEmpty)
    #expect(try await children.failure("echo") == .unavailable("shutting down"))
    #expect(await children.supervisor.census() == ChildCensus())
    await children.supervisor.stop()
  }

  @Test func `a job keeps the supervisor that nobody else holds`() async throws {
    let input = try unsafe MemoryFile.sealed("input", holding: Array("abc".utf8).span.bytes)
    let children = try HostileChildren(waiting: 0)
    let configuration = ChildConfiguration(directories: [children.folder])
    let result = try await ChildSupervisor(configuration).run(
      .image, request: Array("echo".utf8), input: input, deadline: .after(.seconds(20)))
    #expect(result.reply == Array("echoed 3".utf8))
    await children.supervisor.stop()
  }
}
