import Files
import Glibc
import Media
import Pipeline
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15)))
struct JobIntakeTests {
  @Test("The earliest deadline comes first")
  func earliestDeadlineFirst() throws {
    let jobs = try Jobs.make()
    try jobs.put(#"{"title":"T"}"#, as: "usual.json")
    try jobs.put(#"{"title":"T","ttlSeconds":3}"#, as: "third.json")
    try jobs.put(#"{"title":"T","ttlSeconds":1}"#, as: "first.json")
    try jobs.put(
      "<plist><dict><key>title</key><string>T</string><key>ttlSeconds</key><real>2</real></dict></plist>",
      as: "second.plist")
    var queue = try jobs.queue()
    var order: [String] = []
    for _ in 0..<4 { order.append(try queue.nextJob().identifier.text) }
    #expect(order == ["first", "second", "third", "usual"])
  }

  @Test("Deadlines are bounded, counted from arrival, and expired only by their own")
  func timing() {
    let arrival = Timestamp(milliseconds: 1_000_000)
    func timing(_ change: (inout Payload) -> Void) -> (Int64, Bool) {
      var payload = Payload()
      change(&payload)
      let timing = JobTiming(arrival: arrival, payload: payload, policy: .init())
      return (timing.deadline.milliseconds - 1_000_000, timing.isExpired)
    }
    #expect(timing { _ in } == (30_000, false))
    #expect(timing { $0.ttlSeconds = 5 } == (5000, false))
    #expect(timing { $0.ttlSeconds = 45 } == (45_000, false))
    #expect(timing { $0.ttlSeconds = 1e300 } == (60_000, false))
    #expect(timing { $0.ttlSeconds = 0 } == (0, true))
    #expect(timing { $0.deadline = Timestamp(milliseconds: 1_010_000) } == (10_000, false))
    #expect(timing { $0.deadline = Timestamp(milliseconds: 999_999) } == (-1, true))
    #expect(timing { $0.deadline = Timestamp(nanoseconds: .max) } == (60_000, false))
  }

  @Test("A large backlog is worked off whole though few names are known at a time")
  func boundedMemory() throws {
    let jobs = try Jobs.make()
    for number in 0..<500 { try jobs.put(#"{"title":"T"}"#, as: "\(number).json") }
    var queue = try jobs.queue {
      $0.mostKnown = 16
      $0.mostScanned = 50
    }
    var seen: Set<String> = []
    while case .job(let job)? = try queue.claimNext() {
      seen.insert(job.identifier.text)
      try job.finish(keepingPayload: false)
    }
    #expect(seen.count == 500)
  }

  @Test("The first claim reads a part of a large backlog, and each later one another")
  func readingInParts() throws {
    let jobs = try Jobs.make()
    for number in 0..<400 { try jobs.put(#"{"title":"T"}"#, as: "\(number).json") }
    var queue = try jobs.queue { $0.scanStep = 20 }
    var known = 0
    for claim in 1...5 {
      try queue.nextJob().finish(keepingPayload: false)
      #expect(queue.waitingCount > known - 1 && queue.waitingCount <= claim * 20 - claim)
      known = queue.waitingCount
    }
    // A waiting worker reads on.
    let cost = PublicationCost(first: .zero, each: .zero)
    #expect(queue.timeUntilNextLook == .zero)
    for _ in 0..<20 { _ = try queue.latestStart(cost, ahead: 0) }
    #expect(queue.waitingCount == 395)
  }

  @Test("Only the oldest names are kept in mind")
  func oldestFirst() throws {
    let jobs = try Jobs.make()
    for number in 0..<30 {
      try jobs.put(#"{"title":"T"}"#, as: "\(number).json")
      if number == 9 { try JobRecoveryTests.tick() }
    }
    var queue = try jobs.queue { $0.mostKnown = 10 }
    var first: Set<String> = []
    for _ in 0..<5 { first.insert(try queue.nextJob().identifier.text) }
    #expect(first.isSubset(of: Set((0..<10).map(String.init))))
  }

  @Test("A payload in writing is left alone until it parses")
  func inPlaceWriter() throws {
    let jobs = try Jobs.make()
    var queue = try jobs.queue()
    try jobs.temporary.write(#"{"title":"#, to: "incoming/x.json")
    #expect(try queue.isIdle())
    #expect(try jobs.temporary.names(in: "incoming") == ["x.json"])
    try jobs.temporary.write(#"{"title":"T"}"#, to: "incoming/x.json")
    let job = try JobRecoveryTests.await(&queue)
    #expect(job.payload.title == "T")
    #expect(job.attempt == 1)
  }

  @Test("A payload that never parses goes to failed untouched, with the reason")
  func unreadable() throws {
    let jobs = try Jobs.make()
    var queue = try jobs.queue()
    try jobs.put("{", as: "x.json")
    let deadline = Deadline.after(.seconds(30))
    while try jobs.temporary.names(in: "failed").isEmpty, !deadline.hasPassed {
      if case .settled(let settled)? = try queue.claimNext() {
        guard case .failed(let problem) = settled.outcome else { break }
        #expect(problem.code == .unreadablePayload)
      }
      try queue.wait(upTo: .milliseconds(100))
    }
    #expect(try jobs.temporary.names(in: "failed") == ["x.json", "x.json.reason.json"])
    #expect(try jobs.temporary.read("failed/x.json") == Array("{".utf8))
    #expect(try jobs.temporary.names(in: "outbox").isEmpty)
    let reason = try JSONReader.read(try jobs.temporary.read("failed/x.json.reason.json"))
    #expect(reason.object?["id"] == "x")
    #expect(reason.object?["problem"]?.object?["stage"] == "intake")
  }

  @Test("More than 4 MB is refused at once")
  func tooLarge() throws {
    let jobs = try Jobs.make()
    try jobs.put(String(repeating: " ", count: 4_000_001), as: "x.json")
    var queue = try jobs.queue()
    let settled = try queue.nextSettled()
    guard case .failed(let problem) = settled.outcome else {
      throw Unexpected(found: "\(settled)")
    }
    #expect(problem.code == .payloadTooLarge)
  }

  @Test("Folders, pipes and links are no payloads, and foreign names are left alone")
  func strangeFiles() throws {
    let jobs = try Jobs.make()
    try jobs.temporary.makeFolder("incoming/folder.json")
    try jobs.temporary.write(#"{"title":"T"}"#, to: "target")
    try jobs.directory.incoming.makeSymbolicLink("link.json", to: "../target")
    for name in [".dot.json", "note.md", "json"] { try jobs.put("x", as: name) }
    var queue = try jobs.queue()
    let names = [try queue.nextSettled().name, try queue.nextSettled().name]
    #expect(names.sorted() == ["folder.json", "link.json"])
    #expect(try queue.isIdle())
    #expect(try jobs.temporary.names(in: "incoming") == [".dot.json", "json", "note.md"])
  }

  @Test(
    "A name that is not UTF-8 is claimed, its id encoded from its bytes, and goes to done as it was"
  )
  func rawName() throws {
    let jobs = try Jobs.make()
    let name = FileName.text([0x63, 0x61, 0x66, 0xE9, 0x2E, 0x6A, 0x73, 0x6F, 0x6E])
    try NewFile.write(
      Array(#"{"title":"T"}"#.utf8), to: jobs.temporary.path(of: "incoming/") + name,
      overwriting: false)
    var queue = try jobs.queue()
    var job = try queue.nextJob()
    #expect(job.identifier.text == "caf%E9")
    #expect(try job.publish(job.textManifest()) == .published(generation: 1))
    try job.finish(keepingPayload: true)
    #expect(try jobs.directory.done.status(of: name) != nil)
    try NewFile.write(
      [UInt8](repeating: 0x20, count: 4_000_001), to: jobs.temporary.path(of: "incoming/") + name,
      overwriting: false)
    #expect(try queue.nextSettled().name == name)
    #expect(try jobs.directory.failed.status(of: name) != nil)
    #expect(
      try jobs.directory.retry(
        try #require(JobIdentifier(stem: FileName.text([0x63, 0x61, 0x66, 0xE9])))) == [name])
    #expect(try jobs.directory.incoming.status(of: name) != nil)
  }

  @Test("A name with a foreign extension is told once, counted and listed")
  func foreignNames() throws {
    let jobs = try Jobs.make()
    try jobs.put("x", as: "note.md")
    try jobs.put("x", as: ".dot")
    var queue = try jobs.queue()
    #expect(try queue.isIdle())
    #expect(queue.takeForeignNames() == ["note.md"])
    #expect(try queue.isIdle())
    #expect(queue.takeForeignNames().isEmpty)
    #expect(try jobs.directory.stats().foreign == 1)
    #expect(try jobs.directory.stats().incoming == 0)
    var entries: [JobEntry] = []
    try jobs.directory.forEachJob(.incoming) { entry in
      entries.append(entry)
      return true
    }
    #expect(entries.map(\.name) == ["note.md"])
    #expect(entries.first?.identifier == nil)
    #expect(entries.first?.reason?.object?["problem"]?.object?["code"] == "unreadablePayload")
  }

  @Test(
    "No id leaves the outbox",
    arguments: [
      ".", "..", ".x", "a/../../b", "/etc", String(repeating: "😀", count: 500), "a\\u0000b",
    ])
  func wildIds(id: String) throws {
    let jobs = try Jobs.make()
    try jobs.put(#"{"title":"T","id":"\#(id)"}"#, as: "file.json")
    var queue = try jobs.queue()
    var job = try queue.nextJob()
    #expect(try job.publish(job.textManifest()) == .published(generation: 1))
    #expect(try jobs.temporary.names(in: "outbox") == [job.identifier.text])
    #expect(try jobs.temporary.names(in: ".").filter { !$0.hasPrefix(".") }.count == 6)
    try job.finish(keepingPayload: true)
  }

  @Test("Two files with one id are two generations, and none is lost")
  func oneIdTwice() throws {
    let jobs = try Jobs.make()
    try jobs.put(#"{"title":"T","id":""}"#, as: "x.json")
    try jobs.put("https://example.org/", as: "x.txt")
    var queue = try jobs.queue()
    var generations: Set<Int> = []
    while case .job(var job)? = try queue.claimNext() {
      #expect(job.identifier.text == "x")
      if case .published(let generation) = try job.publish(job.textManifest()) {
        generations.insert(generation)
      }
      try job.finish(keepingPayload: true)
    }
    #expect(generations.contains(1))
    #expect(try jobs.temporary.names(in: "done") == ["x.json", "x.txt"])
  }

  @Test("Submitted payloads are found, and refused ones are refused before")
  func submitting() throws {
    let jobs = try Jobs.make()
    let first = try jobs.directory.submit(Array(#"{"title":"T","id":"a b"}"#.utf8))
    #expect(first.text == "a%20b")
    let second = try jobs.directory.submit(Array("https://example.org/".utf8), name: "n.txt")
    #expect(second.text == "n")
    #expect(throws: SubmitFailure.self) { try jobs.directory.submit(Array("{}".utf8)) }
    var queue = try jobs.queue()
    let found = [try queue.nextJob().identifier, try queue.nextJob().identifier]
    #expect(Set(found) == [first, second])
    #expect(try jobs.temporary.names(in: "tmp").isEmpty)
  }

  @Test(
    "The id of a hidden file has its dot encoded, wherever the job is",
    arguments: [
      (".hid.json", "%2Ehid", "~%2Ehid.json"), ("..x.json", "%2E.x", "~%2E.x.json"),
      (".a b.JSON", "%2Ea%20b", "~%2Ea%20b.JSON"),
    ])
  func hiddenFile(name: String, id: String, file: String) throws {
    let jobs = try Jobs.make()
    #expect(JobIdentifier(stem: "~x")?.text == "%7Ex")
    #expect(JobIdentifier(stem: "%2Ex")?.text == "%252Ex")
    #expect(try jobs.directory.submit(Array(#"{"title":"T"}"#.utf8), name: name).text == id)
    #expect(try jobs.temporary.names(in: "incoming") == [file])
    var queue = try jobs.queue()
    var job = try queue.nextJob()
    #expect(job.identifier.text == id)
    _ = try job.publish(job.textManifest())
    try job.finish(keepingPayload: true)
    #expect(try jobs.temporary.names(in: "outbox") == [id])
    let entries = try jobs.directory.jobs(of: try #require(JobIdentifier(encoded: id)))
    #expect(entries.map(\.state) == [.done])
  }
}
