import Files
import Foundation
import Glibc
import Media
import Pipeline
import TestSupport
import Testing

/// A consumer that takes each result and removes its folder at once.
struct Consumer: ~Copyable {
  let directory: JobDirectory
  var seen: [String: Int] = [:]
  var torn: [String] = []

  init(_ directory: JobDirectory) {
    self.directory = directory
  }

  mutating func take() throws {
    var names: [String] = []
    try directory.outbox.forEachName { name in
      if !name.hasPrefix(".") { names.append(name) }
      return true
    }
    for name in names {
      var files: [String] = []
      let folder = try directory.outbox.subdirectory(name)
      try folder.forEachName { file in
        files.append(file)
        return true
      }
      let manifest = try PublishedManifest.read(name, in: directory.outbox)
      let picture = try folder.status(of: "image-iphone-01234567.jpg")
      if files.count != 3 || manifest?.id != name || picture?.size != 10_000 { torn.append(name) }
      seen[name, default: 0] += 1
      if let identifier = JobIdentifier(encoded: name) {
        _ = try directory.acknowledge(identifier)
      }
    }
  }
}

@Suite(.timeLimit(.minutes(10)))
struct JobKillTests {
  static func scale(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? usual
  }

  @Test("Workers killed at random instants lose no job, tear none and repeat none")
  func randomKills() async throws {
    let jobs = try Jobs.make()
    let count = Self.scale("WIREPHOTO_TEST_JOBS", 400)
    let kills = Self.scale("WIREPHOTO_TEST_KILLS", 40)
    for number in 0..<count { try jobs.put(#"{"title":"T"}"#, as: "job\(number).json") }
    var consumer = Consumer(jobs.directory)
    let worker = try Command.built("job-exerciser", [jobs.temporary.path, "--attempts", "1000"])
    var first = try worker.start()
    var second = try worker.start()
    for kill in 0..<kills where consumer.seen.count < count {
      try await Task.sleep(for: .milliseconds(Int.random(in: 20..<80)))
      if kill.isMultiple(of: 2) {
        first.send(SIGKILL)
        _ = try await first.finish(by: .after(.seconds(10)))
        first = try worker.start()
      } else {
        second.send(SIGKILL)
        _ = try await second.finish(by: .after(.seconds(10)))
        second = try worker.start()
      }
      try consumer.take()
    }
    first.send(SIGKILL)
    second.send(SIGKILL)
    _ = try await first.finish(by: .after(.seconds(10)))
    _ = try await second.finish(by: .after(.seconds(10)))
    let drain = try Command.built(
      "job-exerciser", [jobs.temporary.path, "--drain", "--attempts", "1000"])
    #expect(try await drain.run(limit: .seconds(300)).ending == .exited(0))
    try consumer.take()
    #expect(consumer.seen.count == count)
    #expect(consumer.seen.values.allSatisfy { $0 == 1 })
    #expect(consumer.torn.isEmpty)
    try Self.expectNothingLeft(jobs)
  }

  /// One pass of the janitor leaves nothing of the dead.
  static func expectNothingLeft(_ jobs: borrowing Jobs) throws {
    var settings = Janitor.Settings()
    (settings.keepTemporaries, settings.keepStaged) = (.zero, .zero)
    _ = try Janitor(jobs.directory, settings: settings).sweep()
    for folder in ["tmp", "incoming", "active", "outbox", ".handed-back"] {
      #expect(try jobs.temporary.names(in: folder).isEmpty, "\(folder)")
    }
    #expect(try jobs.temporary.names(in: ".generations").allSatisfy { !$0.hasPrefix(".") })
  }

  /// What happens to a system call, and to which.
  static let faults = [
    "signal=SIGKILL", "error=EIO", "error=ENOSPC",
  ].flatMap { fault in
    [
      "renameat2", "fsync", "mkdirat", "symlinkat", "unlinkat", "fchmod", "flock", "write",
      "linkat",
      "openat", "newfstatat", "getdents64", "inotify_add_watch",
    ].map { ($0, fault) }
  }

  @Test("A fault at any system call of a job leaves only legal states", arguments: faults)
  func anyFault(call: String, fault: String) async throws {
    guard let strace = try? requireTool("strace"), try await Self.mayTrace(strace) else {
      print("skipped: strace is not there, or may not trace")
      return
    }
    let program = try Project.program("job-exerciser")
    let first = try await Self.firstOnTheWay(call, strace, program)
    for number in stride(from: first, to: first + Self.mostCalls, by: Self.step(call)) {
      let jobs = try Jobs.make()
      try jobs.put(#"{"title":"T"}"#, as: "job.json")
      let outcome = try await Self.traced(
        jobs, strace, program, ["trace=\(call)", "inject=\(call):\(fault):when=\(number)"])
      var consumer = Consumer(jobs.directory)
      try consumer.take()
      let drain = Command(program, [jobs.temporary.path, "--drain", "--attempts", "1000"])
      #expect(try await drain.run().ending == .exited(0), "\(call) \(fault) \(number)")
      try consumer.take()
      #expect(consumer.seen == ["job": 1], "\(call) \(fault) \(number)")
      #expect(consumer.torn.isEmpty, "\(call) \(fault) \(number)")
      try Self.expectNothingLeft(jobs)
      let trace = String(decoding: try jobs.temporary.read("trace"), as: UTF8.self)
      if outcome.ending == .exited(0), !trace.contains("INJECTED") { return }
    }
    Issue.record("\(call) was called more than \(Self.mostCalls) times")
  }

  /// Of one kind, once the job directory is open.
  private static let mostCalls = 150

  /// By day a third of those that are made most often.
  private static func step(_ call: String) -> Int {
    ["openat", "newfstatat"].contains(call) ? TestScale.count(3, nightly: 1) : 1
  }

  /// The number of the first such call after the job directory was opened: what the loader does
  /// before is not on a job's way.
  private static func firstOnTheWay(
    _ call: String, _ strace: String, _ program: String
  ) async throws -> Int {
    let jobs = try Jobs.make()
    _ = try await traced(jobs, strace, program, ["trace=openat,\(call)"])
    let lines = String(decoding: try jobs.temporary.read("trace"), as: UTF8.self)
      .split(separator: "\n")
    let before = lines.prefix { !$0.contains(jobs.temporary.path) }
    return before.count { $0.contains(" \(call)(") } + 1
  }

  private static func traced(
    _ jobs: borrowing Jobs, _ strace: String, _ program: String, _ expressions: [String]
  ) async throws -> CommandOutcome {
    let options = ["-f", "-qq", "-s", "300", "-o", jobs.temporary.path(of: "trace")]
    return try await Command(
      strace,
      options + expressions.flatMap { ["-e", $0] }
        + [program, jobs.temporary.path, "--drain", "--attempts", "1000", "--link"]
    ).run()
  }

  static func mayTrace(_ strace: String) async throws -> Bool {
    try await Command(strace, ["-o", "/dev/null", "/bin/true"]).run().ending == .exited(0)
  }

  @Test("A job that takes down its worker three times fails with a manifest that says so")
  func poison() async throws {
    let jobs = try Jobs.make()
    let payload = #"{"title":"Poison","drafts":[{"sentence":"kept"}]}"#
    try jobs.put(payload, as: "job.json")
    let program = try Project.program("job-exerciser")
    for _ in 1...3 {
      let crash = Command(program, [jobs.temporary.path, "--drain", "--crash"])
      #expect(try await crash.run().ending == .signalled(SIGKILL))
    }
    let drain = Command(program, [jobs.temporary.path, "--drain", "--crash"])
    #expect(try await drain.run().ending == .exited(0))
    #expect(try jobs.temporary.names(in: "failed") == ["job.json", "job.json.reason.json"])
    #expect(try jobs.temporary.read("failed/job.json") == Array(payload.utf8))
    let reason = try JSONReader.read(try jobs.temporary.read("failed/job.json.reason.json"))
    #expect(reason.object?["problem"]?.object?["code"] == "workerCrashed")
    let message = reason.object?["problem"]?.object?["message"]?.string
    #expect(reason.object?["attempts"] == 3 && message?.contains("3 times") == true)
    let problems = try #require(try jobs.manifest("job").json.object?["problems"]?.array)
    #expect(problems.first?.object?["code"] == "workerCrashed")
  }

  @Test("Folders and files have the contract's modes whatever the umask")
  func modes() async throws {
    let jobs = try Jobs.make()
    try jobs.put(#"{"title":"T"}"#, as: "job.json")
    let program = try Project.program("job-exerciser")
    let worker = Command(
      "/bin/sh", ["-c", "umask 077; exec \(program) \(jobs.temporary.path) --drain"])
    #expect(try await worker.run().ending == .exited(0))
    for folder in ["tmp", "incoming", "active", "done", "failed", "outbox"] {
      #expect(try jobs.directory.root.status(of: folder)?.permissions == 0o2770)
    }
    #expect(try jobs.directory.outbox.status(of: "job")?.permissions == 0o2770)
    let folder = try jobs.directory.outbox.subdirectory("job")
    #expect(try folder.status(of: "manifest.json")?.permissions == 0o640)
    #expect(try folder.status(of: "push.json")?.permissions == 0o640)
  }
}
