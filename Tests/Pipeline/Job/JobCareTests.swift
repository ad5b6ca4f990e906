import Files
import Media
import Pipeline
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15)))
struct JobCareTests {
  static func publish(_ text: String, as name: String, in jobs: borrowing Jobs) throws {
    try jobs.put(text, as: name)
    var queue = try jobs.queue()
    var job = try queue.nextJob()
    _ = try job.publish(job.textManifest())
    try job.finish(keepingPayload: true)
  }

  @Test("Jobs are listed in each state, with ids from payloads, and counted")
  func listing() throws {
    let jobs = try Jobs.make()
    try Self.publish(#"{"title":"T","id":"done id"}"#, as: "d.json", in: jobs)
    try jobs.put(String(repeating: " ", count: 4_000_001), as: "f.json")
    var queue = try jobs.queue()
    _ = try queue.nextSettled()
    try jobs.put(#"{"title":"T"}"#, as: "a.json")
    let active = try queue.nextJob()
    try jobs.put(#"{"title":"T"}"#, as: "i.json")
    var entries: [JobEntry] = []
    for state in JobState.allCases {
      try jobs.directory.forEachJob(state) { entry in
        entries.append(entry)
        return true
      }
    }
    #expect(entries.map(\.state) == [.incoming, .active, .done, .failed])
    #expect(entries.map(\.identifier?.text) == ["i", "a", "done%20id", "f"])
    #expect(entries.map(\.payloadName) == ["i.json", "a.json", "d.json", "f.json"])
    #expect(entries[1].isLeased == true)
    #expect(entries[3].reason?.object?["problem"]?.object?["code"] == "payloadTooLarge")
    let stats = try jobs.directory.stats()
    #expect(stats.incoming == 1 && stats.active == 1 && stats.done == 1 && stats.failed == 1)
    #expect(stats.outbox == 1)
    try active.finish(keepingPayload: false)
  }

  @Test("A failed job is put back under its name")
  func retry() throws {
    let jobs = try Jobs.make()
    var queue = try jobs.queue()
    for round in 1...2 {
      try jobs.put(#"{"title":"\#(round)"}"#, as: "x.json")
      let job = try queue.nextJob()
      try job.fail(Problem(.intake, .workerCrashed, "test"))
    }
    #expect(try jobs.temporary.names(in: "failed").count == 4)
    let identifier = try #require(JobIdentifier("x"))
    #expect(try jobs.directory.retry(identifier) == ["x.json"])
    #expect(try jobs.temporary.names(in: "failed").count == 2)
    #expect(try queue.nextJob().attempt == 1)
  }

  @Test("Erasing removes an id everywhere and names what the cache may hold")
  func erase() throws {
    let jobs = try Jobs.make()
    let payload = #"{"title":"T","id":"x","imageURL":"https://i.example.org/1.jpg"}"#
    try Self.publish(payload, as: "one.json", in: jobs)
    try Self.publish(#"{"title":"T"}"#, as: "other.json", in: jobs)
    try jobs.put(payload, as: "two.json")
    let identifier = try #require(JobIdentifier("x"))
    let erased = try jobs.directory.erase(identifier)
    #expect(erased.payloads == 2)
    #expect(erased.hadResult)
    #expect(erased.addresses == ["https://i.example.org/1.jpg"])
    #expect(try jobs.temporary.names(in: "outbox") == ["other"])
    #expect(try jobs.temporary.names(in: "done") == ["other.json"])
    #expect(try jobs.temporary.names(in: "incoming").isEmpty)
    #expect(try jobs.temporary.names(in: ".generations") == ["other"])
  }

  @Test("A follower is told of each result once, of replacements too, and acknowledging removes it")
  func follower() throws {
    let jobs = try Jobs.make()
    try Self.publish(#"{"title":"1"}"#, as: "x.json", in: jobs)
    var follower = try OutboxFollower.open(jobs.directory)
    #expect(try follower.news().map(\.generation) == [1])
    #expect(try follower.news().isEmpty)
    try Self.publish(#"{"title":"2"}"#, as: "x.json", in: jobs)
    try Self.publish(#"{"title":"3"}"#, as: "y.json", in: jobs)
    try follower.wait(upTo: .seconds(10))
    let news = try follower.news()
    #expect(news.map(\.id) == ["x", "y"])
    #expect(news.map(\.generation) == [2, 1])
    let identifier = try #require(JobIdentifier("x"))
    #expect(jobs.directory.result(of: identifier)?.generation == 2)
    #expect(try jobs.directory.acknowledge(identifier))
    #expect(try !jobs.directory.acknowledge(identifier))
    #expect(try jobs.temporary.names(in: "outbox") == ["y"])
  }

  @Test("The janitor takes what is old and nobody's, and leaves the rest")
  func janitor() throws {
    let jobs = try Jobs.make()
    try Self.publish(#"{"title":"T"}"#, as: "x.json", in: jobs)
    try jobs.temporary.write("x", to: "tmp/left")
    try jobs.temporary.makeFolder("outbox/.dead.0123456789abcdef")
    try jobs.temporary.write("x", to: "outbox/.dead.0123456789abcdef/file")
    try jobs.temporary.makeFolder("outbox/.alive.0123456789abcdee")
    let alive = try jobs.directory.outbox.subdirectory(".alive.0123456789abcdee")
    #expect(try alive.descriptor.tryLock())
    let name = try #require(PayloadFileName("m.json"))
    var marked = try #require(
      ActiveName(claiming: name, delivered: 1, arrival: Timestamp(milliseconds: 1)))
    marked.publication = .init(token: "0123456789abcdff", inode: 1)
    try jobs.temporary.write("{}", to: "active/\(marked.text)")
    try jobs.temporary.makeFolder("outbox/.marked.0123456789abcdff")
    let young = Janitor(jobs.directory)
    #expect(try young.sweep() == Janitor.Sweep())
    let inAnHour = Timestamp.now.advanced(by: .seconds(3601))
    let first = try young.sweep(now: inAnHour)
    #expect(first.temporaries == 2 && first.results == 0 && first.payloads == 0)
    #expect(
      try jobs.temporary.names(in: "outbox") == [
        ".alive.0123456789abcdee", ".marked.0123456789abcdff", "x",
      ])
    let inADay = Timestamp.now.advanced(by: .seconds(86_401))
    #expect(try young.sweep(now: inADay).results == 1)
    #expect(try jobs.temporary.names(in: ".generations") == ["x"])
    let inAWeek = Timestamp.now.advanced(by: .seconds(7 * 86_400 + 1))
    let last = try young.sweep(now: inAWeek)
    #expect(last.payloads == 1 && last.records == 1)
  }
}
