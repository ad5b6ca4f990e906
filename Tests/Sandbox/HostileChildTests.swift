import Glibc
import Media
import Sandbox
import Testing

/// What a taken-over child does, and what becomes of it.
@Suite(.timeLimit(.minutes(15)))
struct HostileChildTests {
  private let children: HostileChildren

  init() throws {
    children = try HostileChildren()
  }

  @Test(arguments: [ChildFamily.image, .heif, .page]) func `each forbidden system call kills`(
    _ family: ChildFamily
  ) async throws {
    let list = try await children.run("list-calls", family: family).get()
    let names = String(decoding: list.reply, as: UTF8.self).split(separator: " ")
    #expect(names.count >= 60)
    for name in names {
      let failure = try await children.failure("call \(name)", family: family)
      #expect(failure == .sandboxViolation, "\(name)")
    }
    await children.supervisor.stop()
  }

  @Test(arguments: [ChildFamily.av])
  func `the family that looks for tables is killed for as much, but for opening files`(
    _ family: ChildFamily
  ) async throws {
    let list = try await children.run("list-calls", family: family).get()
    for name in String(decoding: list.reply, as: UTF8.self).split(separator: " ") {
      switch (name, try await children.run("call \(name)", family: family)) {
      case ("openat", .success(let result)):
        #expect(String(decoding: result.reply, as: UTF8.self) == "returned \(-EACCES)")
      case (_, let outcome):
        #expect(throws: ChildFailure.sandboxViolation, "\(name)") { try outcome.get() }
      }
    }
    #expect(try await children.failure("thread", family: family) == .sandboxViolation)
    await children.supervisor.stop()
  }

  @Test(arguments: [
    ("call-32-bit", ChildFailure.sandboxViolation), ("thread", .sandboxViolation),
    ("fault", .crashed(signal: SIGSEGV)), ("trap", .crashed(signal: SIGILL)),
    ("abort", .crashed(signal: SIGABRT)), ("break-heap", .crashed(signal: SIGABRT)),
    ("recurse", .crashed(signal: SIGSEGV)), ("exit 0", .exited(code: 0)),
    ("exit 9", .exited(code: 9)),
  ]) func `a crash or an early end is told`(
    _ behaviour: String, _ failure: ChildFailure
  ) async throws {
    #expect(try await children.failure(behaviour) == failure)
  }

  @Test(arguments: ["allocate 4000000000", "fill-memory"])
  func `a crash over memory that was not given is told from others`(
    _ behaviour: String
  ) async throws {
    var limits = ChildLimits.standard(for: .image)
    limits.addressSpace = 128 << 20
    #expect(try await children.failure(behaviour, limits: limits) == .outOfMemory)
    await children.supervisor.stop()
  }

  @Test func `waiting with all memory used up is no time-out`() async throws {
    var limits = ChildLimits.standard(for: .image)
    limits.addressSpace = 128 << 20
    // Once it waits the time goes into the filling.
    children.supervisor.prepare([.image])
    _ = try await children.supervisor.posture()
    let failure = try await children.failure(
      "fill-and-sleep", limits: limits, deadline: .seconds(4))
    #expect(failure == .outOfMemory)
    await children.supervisor.stop()
  }

  @Test(arguments: ["spin", "sleep", "stop"])
  func `a child past its deadline is killed`(_ behaviour: String) async throws {
    // Once it waits the deadline goes into what it does. None of them ends by itself: that there is an
    // answer is the proof.
    var limits = ChildLimits.standard(for: .image)
    limits.cpuSeconds = 3600
    children.supervisor.prepare([.image])
    _ = try await children.supervisor.posture()
    #expect(
      try await children.failure(behaviour, limits: limits, deadline: .seconds(2)) == .timedOut)
    await children.supervisor.stop()
  }

  @Test func `processor time is limited apart from the deadline`() async throws {
    var limits = ChildLimits.standard(for: .image)
    limits.cpuSeconds = 1
    #expect(try await children.failure("spin", limits: limits, deadline: .seconds(60)) == .timedOut)
    await children.supervisor.stop()
  }

  @Test func `output above its limit kills`() async throws {
    var limits = ChildLimits.standard(for: .image)
    limits.outputBytes = 1 << 20
    let failure = try await children.failure("overfill-output", limits: limits)
    #expect(failure == .crashed(signal: SIGXFSZ))
    await children.supervisor.stop()
  }

  @Test(arguments: [
    "answer-twice", "ready-again", "garbage", "endless-message", "close-socket",
    "answer-and-stay",
  ])
  func `speaking out of turn is a violation`(_ behaviour: String) async throws {
    guard case .protocolViolation = try await children.failure(behaviour) else {
      Issue.record("no violation")
      return
    }
    await children.supervisor.stop()
  }

  @Test func `an answer counts when the child then ends by itself, not when it crashes`()
    async throws
  {
    #expect(try await children.run("answer-and-exit").get().reply == [1])
    #expect(try await children.failure("answer-and-crash") == .crashed(signal: SIGSEGV))
    await children.supervisor.stop()
  }

  @Test func `standard error leads nowhere`() async throws {
    let result = try await children.run("flood-standard-error").get()
    #expect(String(decoding: result.reply, as: UTF8.self) == "survived flood-standard-error 0")
    await children.supervisor.stop()
  }

  @Test func `the input cannot be written`() async throws {
    let result = try await children.run("write-input", input: "unchanged").get()
    #expect(String(decoding: result.reply, as: UTF8.self) == "returned -1")
    await children.supervisor.stop()
  }

  @Test func `a child holds socket, null device, input and output, and no environment of ours`()
    async throws
  {
    let descriptors = try await children.run("list-descriptors").get()
    #expect(String(decoding: descriptors.reply, as: UTF8.self) == "1 2 3 4")
    let environment = try await children.run("list-environment").get()
    #expect(
      String(decoding: environment.reply, as: UTF8.self) == "MALLOC_ARENA_MAX=1 OMP_NUM_THREADS=1")
    await children.supervisor.stop()
  }
}
