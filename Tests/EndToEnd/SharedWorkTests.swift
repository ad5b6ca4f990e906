import Files
import Foundation
import Glibc
import Media
import Origin
import TestSupport
import Testing

/// Several worker processes over one cache.
@Suite(.timeLimit(.minutes(60))) struct SharedWorkTests {
  private static let processes = 4

  @Test func `200 jobs in four processes for one cold address make one request`() async throws {
    let site = try JobSite.make()
    try await site.submit(count: 200) { _ in "/jpeg/baseline.jpg?cache=max-age%3D3600&delay=100" }
    try await site.drain(processes: Self.processes)
    #expect(site.origin.requests.count == 1)
    #expect(try site.statuses(200) == ["complete": 200])
  }

  @Test func `several workers on one directory each get their share`() async throws {
    let site = try JobSite.make()
    let count = 400
    let outbox = site.root.path(of: "jobs/outbox")
    let command = try site.worker(["--deadline", "1h", "--max-deadline", "1h"])
    let (ready, readiness) = AsyncStream.makeStream(of: Void.self)
    let logs = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<Self.processes {
        group.addTask {
          let worker = try command.start()
          try await worker.waitForLog("publishing takes")
          readiness.yield()
          try await Self.waitForNames(count, in: outbox)
          worker.send(SIGTERM)
          let outcome = try await worker.finish(by: .after(.seconds(120)))
          #expect(outcome.ending == .exited(0))
          return outcome.errorText.split(separator: "\n").map(String.init)
        }
      }
      var begun = 0
      for await _ in ready {
        begun += 1
        if begun == Self.processes { break }
      }
      // While a worker waits for its downloads the others find work.
      try await site.submit(count: count) { "/jpeg/baseline.jpg?delay=50&n=\($0 % 100)" }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let shares = logs.map { $0.count { $0.contains(" complete rung=") } }
    print("shares of \(count) jobs: \(shares)")
    let others = logs.joined().filter { !$0.contains(" complete rung=") }
    #expect(shares.reduce(0, +) == count, "\(others)")
    let least = TestScale.count(count / 40, nightly: count / 10)
    #expect(shares.allSatisfy { $0 >= least }, "\(shares)")
    #expect(try site.statuses(count) == ["complete": count])
  }

  private static func waitForNames(_ count: Int, in folder: String) async throws {
    let limit = ContinuousClock.now.advanced(by: .seconds(240))
    while true {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      if names.count(where: { !$0.hasPrefix(".") }) >= count { return }
      guard .now < limit else { throw NotSeen(what: "\(count) names") }
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  @Test func `the last of an id's hard-linked payloads wins, whoever works on which`() async throws
  {
    let site = try JobSite.make()
    for folder in ["jobs/incoming", "kept"] { try site.root.makeFolder(folder) }
    let ids = 20
    let versions = 5
    for version in 0..<versions {
      for id in 0..<ids {
        let name = "\(id)-\(version).json"
        let kept = try site.root.write(
          #"{"id":"\#(id)","title":"\#(version)"}"#, to: "kept/\(name)")
        try FileManager.default.linkItem(
          atPath: kept, toPath: site.root.path(of: "jobs/incoming/\(name)"))
      }
      // File times tell versions apart when the kernel's clock for them has gone on.
      try await Task.sleep(for: .milliseconds(20))
    }
    // One file under two names is two jobs.
    for name in ["one", "two"] {
      try FileManager.default.linkItem(
        atPath: site.root.path(of: "kept/0-4.json"),
        toPath: site.root.path(of: "jobs/incoming/\(name).json"))
    }
    try await site.drain(processes: Self.processes)
    for id in 0..<ids {
      let content = try site.manifest("\(id)").content
      #expect(content.notification.title == "\(versions - 1)")
    }
    #expect(try site.names("outbox").count == ids)
    let done = try site.names("done").filter { !$0.hasSuffix(".reason.json") }
    #expect(done.count == ids * versions + 2)
    #expect(try site.names("active").isEmpty && site.names("tmp").isEmpty)
  }

  @Test func `each of many addresses is asked for once, however many jobs want it`() async throws {
    let addresses = TestScale.count(20, nightly: 1000)
    let jobsEach = TestScale.count(5, nightly: 20)
    let warm = try WarmSite.make(pictures: addresses)
    let count = addresses * jobsEach
    try await warm.site.submit(count: count) {
      "/\($0 % addresses).jpg?cache=max-age%3D36000"
    }
    try await warm.site.drain(processes: Self.processes)
    #expect(warm.counts.count == addresses)
    #expect(warm.requests.count == addresses)
    #expect(try warm.site.statuses(count) == ["complete": count])
  }

  @Test func `when a download's process is killed another goes on`() async throws {
    let site = try JobSite.make()
    let address = "/jpeg/large.jpg?stall=50&fail=1"
    try await site.submit("first", image: address)
    let holder = try site.worker([]).start()
    try await site.origin.waitForRequests(1)
    let others = try site.root.makeFolder("others")
    let payload = try site.root.write(
      #"{"title": "A page", "imageURL": "\#(site.origin.url(address))"}"#, to: "second.json")
    _ = try await Command.built("wirephoto", ["submit", others, payload]).run()
    var command = try site.worker(["--drain"])
    command.arguments[1] = others
    let next = try command.start()
    let waiting = next.process
    try await eventually("a process that waits for the download") {
      try OpenFiles.of(waiting).contains { $0.contains("/locks/flight-") }
    }
    let killed = ContinuousClock.now
    holder.send(SIGKILL)
    try await site.origin.waitForRequests(2)
    let pause = killed.duration(to: .now)
    print("went on after \(pause)")
    // By day other tests share the processors.
    if TestScale.isNightly { #expect(pause < .seconds(1)) }
    #expect(try await next.finish(by: .after(.seconds(60))).ending == .exited(0))
    let manifest = try ManifestFile(folder: "\(others)/outbox/second")
    #expect(manifest.content.status == "complete")
  }

  @Test func `an origin that goes away leaves every picture inside its window`() async throws {
    let count = TestScale.count(10, nightly: 300)
    let warm = try WarmSite.make(pictures: count)
    let address = { (index: Int) in
      let window = index % 5 == 4 ? 0 : 3600
      return "/\(index % count).jpg?cache=max-age%3D0,stale-if-error%3D\(window)"
    }
    try await warm.site.submit(count: count, address: address)
    try await warm.site.drain()
    #expect(try warm.site.statuses(count) == ["complete": count])
    warm.site.origin.stop()
    // Twice each: the failure is remembered the second time.
    for round in ["second", "third"] {
      try await warm.site.submit(round, count: count, address: address)
      try await warm.site.drain()
      let manifests = try (0..<count).map { try warm.site.manifest("\(round)\($0)").content }
      for (index, manifest) in manifests.enumerated() {
        let isInside = index % 5 != 4
        #expect(manifest.attachments.first?.rung == (isInside ? "stale" : nil))
        #expect(manifest.status == (isInside ? "degraded" : "textOnly"))
        #expect(manifest.problems.first?.code == "connectFailure")
      }
    }
  }

  @Test func `a dead address asked for by many jobs costs three requests at most`() async throws {
    let count = TestScale.count(100, nightly: 1000)
    let site = try JobSite.make()
    try await site.submit(count: count) { _ in "/jpeg/baseline.jpg?status=503" }
    try await site.drain(processes: Self.processes)
    #expect((1...3).contains(site.origin.requests.count))
    #expect(try site.statuses(count) == ["textOnly": count])
  }
}

extension JobSite {
  /// Puts in jobs named `<prefix><index>`, each for the picture that `address` tells for its index.
  func submit(
    _ prefix: String = "job", count: Int, address: (Int) -> String
  ) async throws {
    let folder = try root.makeFolder("payloads-\(prefix)")
    let files = try (0..<count).map { index in
      try root.write(
        #"{"title": "A page", "imageURL": "\#(origin.url(address(index)))"}"#,
        to: "payloads-\(prefix)/\(prefix)\(index).json")
    }
    for start in stride(from: 0, to: count, by: 1000) {
      let part = files[start..<min(count, start + 1000)]
      let outcome = try await Command.built("wirephoto", ["submit", jobs] + part).run()
      guard outcome.ending == .exited(0) else { throw NotSeen(what: outcome.errorText) }
    }
    try FileManager.default.removeItem(atPath: folder)
  }

  /// Works with several processes at once until nothing is left, with time for all.
  func drain(processes: Int) async throws {
    let command = try worker(["--drain", "--deadline", "1h", "--max-deadline", "1h"])
    try await withThrowingTaskGroup(of: CommandOutcome.self) { group in
      for _ in 0..<processes {
        group.addTask { try await command.run(limit: .seconds(3000)) }
      }
      for try await outcome in group where outcome.ending != .exited(0) {
        throw NotSeen(what: outcome.errorText)
      }
    }
  }

  /// How many of the jobs `job0` and on ended in which status.
  func statuses(_ count: Int) throws -> [String: Int] {
    try (0..<count).reduce(into: [:]) { counts, index in
      counts[try manifest("job\(index)").content.status, default: 0] += 1
    }
  }
}

/// What a process that this test started has open.
enum OpenFiles {
  /// The processes that have a file open.
  static func holders(of path: String) throws -> [pid_t] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
      .filter { process in ((try? of(process)) ?? []).contains(path) }
  }

  static func of(_ process: pid_t) throws -> [String] {
    let folder = "/proc/\(process)/fd"
    return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
      // One that was closed since it was listed has no target.
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
    }
  }
}
