import Files
import Media
import Pipeline
import TestSupport
import Testing

/// A job directory of its own, and what tests do with one.
struct Jobs: ~Copyable {
  let temporary: TemporaryDirectory
  let directory: JobDirectory

  static func make() throws -> Jobs {
    let temporary = try TemporaryDirectory()
    let directory = try JobDirectory.open(temporary.path)
    return Jobs(temporary: temporary, directory: directory)
  }

  func put(_ text: String, as name: String) throws {
    try temporary.write(text, to: "tmp/\(name)")
    try directory.temporaries.rename(name, to: name, in: directory.incoming)
  }

  func queue(_ change: (inout JobQueue.Settings) -> Void = { _ in }) throws -> JobQueue {
    var settings = JobQueue.Settings()
    change(&settings)
    return try JobQueue.open(directory, settings: settings)
  }

  func manifest(_ id: String) throws -> PublishedManifest {
    try #require(try PublishedManifest.read(id, in: directory.outbox))
  }
}

extension JobQueue {
  /// The next job; a job that was settled, or none, is a failure of the test.
  mutating func nextJob() throws -> ClaimedJob {
    switch try claimNext() {
    case .job(let job)?: return job
    case .settled(let job)?: throw Unexpected(found: "\(job)")
    case nil: throw Unexpected(found: "no job")
    }
  }

  mutating func nextSettled() throws -> SettledJob {
    switch try claimNext() {
    case .settled(let job)?: return job
    case .job(let job)?: throw Unexpected(found: "job \(job.identifier)")
    case nil: throw Unexpected(found: "no job")
    }
  }

  mutating func isIdle() throws -> Bool {
    switch try claimNext() {
    case nil: true
    default: false
    }
  }
}

struct Unexpected: Error {
  let found: String
}

extension ClaimedJob {
  /// A text manifest of the payload.
  func textManifest() -> Manifest {
    Manifest(
      id: identifier.text, status: .textOnly, notification: .init(payload),
      timing: .init(arrived: timing.arrival, deadline: timing.deadline, finished: .now))
  }
}

@Suite(.timeLimit(.minutes(15)))
struct JobQueueTests {
  @Test("A job goes from incoming to active, to the outbox and to done")
  func plainCase() throws {
    let jobs = try Jobs.make()
    try jobs.put(#"{"title":"Hello"}"#, as: "one.json")
    var queue = try jobs.queue()
    var job = try queue.nextJob()
    #expect(job.identifier.text == "one")
    #expect(job.attempt == 1)
    #expect(try jobs.temporary.names(in: "incoming").isEmpty)
    #expect(try jobs.temporary.names(in: "active").count == 1)
    #expect(try job.publish(job.textManifest()) == .published(generation: 1))
    try job.finish(keepingPayload: true)
    #expect(try jobs.temporary.names(in: "active").isEmpty)
    #expect(try jobs.temporary.names(in: "done") == ["one.json"])
    #expect(try jobs.temporary.names(in: "outbox") == ["one"])
    #expect(try jobs.temporary.names(in: "outbox/one") == ["manifest.json", "push.json"])
    let manifest = try jobs.manifest("one")
    #expect(manifest.status == .textOnly)
    #expect(manifest.json.object?["notification"]?.object?["title"] == "Hello")
    #expect(try queue.isIdle())
    #expect(try !jobs.directory.hasWork())
  }

  @Test("The same id again replaces its folder with the next generation")
  func generations() throws {
    let jobs = try Jobs.make()
    var queue = try jobs.queue()
    for generation in 1...3 {
      try jobs.put(#"{"title":"\#(generation)","id":"x"}"#, as: "file\(generation).json")
      var job = try queue.nextJob()
      #expect(try job.publish(job.textManifest()) == .published(generation: generation))
      try job.finish(keepingPayload: false)
      #expect(try jobs.manifest("x").generation == generation)
    }
    #expect(try jobs.temporary.names(in: "outbox") == ["x"])
    #expect(try jobs.temporary.names(in: "done").isEmpty)
  }

  @Test("Generations rise though the consumer takes the folders away")
  func generationsWithoutFolder() throws {
    let jobs = try Jobs.make()
    var queue = try jobs.queue()
    for generation in 1...2 {
      try jobs.put(#"{"title":"T"}"#, as: "x.json")
      var job = try queue.nextJob()
      #expect(try job.publish(job.textManifest()) == .published(generation: generation))
      try job.finish(keepingPayload: true)
      try jobs.directory.outbox.removeFolder("x")
    }
  }
}
