import Files
import Glibc
import Media
import Pipeline
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15)))
struct JobRecoveryTests {
  /// Polls, as a worker does, until a job comes.
  static func await(_ queue: inout JobQueue) throws -> ClaimedJob {
    let deadline = Deadline.after(.seconds(20))
    while !deadline.hasPassed {
      if case .job(let job)? = try queue.claimNext() { return job }
      try queue.wait(upTo: .milliseconds(100))
    }
    throw Unexpected(found: "no job in time")
  }

  @Test("A dropped job is taken up again, its attempt counted in the name")
  func recovery() throws {
    let jobs = try Jobs.make()
    try jobs.put(#"{"title":"T"}"#, as: "x.json")
    var queue = try jobs.queue { $0.recoveryInterval = .milliseconds(10) }
    let arrival: Timestamp
    do {
      let job = try queue.nextJob()
      arrival = job.timing.arrival
    }
    let job = try Self.await(&queue)
    #expect(job.attempt == 2)
    #expect(job.task == .work)
    #expect(job.timing.arrival.milliseconds == arrival.milliseconds)
    let name = try #require(try jobs.temporary.names(in: "active").first.flatMap { ActiveName($0) })
    #expect(name.attempt == 2)
  }

  @Test("A job of a living worker is left alone, whatever the queue that looks")
  func leases() throws {
    let jobs = try Jobs.make()
    try jobs.put(#"{"title":"T"}"#, as: "x.json")
    var first = try jobs.queue()
    let job = try first.nextJob()
    var second = try jobs.queue { $0.recoveryInterval = .zero }
    for _ in 0..<20 { #expect(try second.isIdle()) }
    #expect(try !job.isCancelled())
    try job.finish(keepingPayload: false)
  }

  @Test(
    "A payload whose claimer dies before it moved it is looked at again soon, with no news of it")
  func claimerDies() throws {
    let jobs = try Jobs.make()
    try jobs.put(#"{"title":"T"}"#, as: "x.json")
    var queue = try jobs.queue { $0.rescanInterval = .seconds(3600) }
    do {
      let claimer = try jobs.directory.incoming.open("x.json", flags: O_RDONLY)
      #expect(try claimer.tryLock())
      #expect(try queue.isIdle())
    }
    let job = try Self.await(&queue)
    #expect(job.identifier.text == "x" && job.attempt == 1)
  }

  @Test("A payload that its claimer holds and then takes away is forgotten")
  func claimerGoesOn() throws {
    let jobs = try Jobs.make()
    try jobs.put(#"{"title":"T"}"#, as: "x.json")
    var queue = try jobs.queue { $0.rescanInterval = .seconds(3600) }
    let claimer = try jobs.directory.incoming.open("x.json", flags: O_RDONLY)
    #expect(try claimer.tryLock())
    #expect(try queue.isIdle())
    #expect(queue.waitingCount == 1)
    try jobs.directory.incoming.remove("x.json")
    let deadline = Deadline.after(.seconds(20))
    while queue.waitingCount > 0, !deadline.hasPassed {
      try queue.wait(upTo: .milliseconds(50))
      #expect(try queue.isIdle())
    }
    #expect(queue.waitingCount == 0)
  }

  @Test("A report of crashes is tried again when its worker dies too, and ends in one manifest")
  func repeatedReport() throws {
    let jobs = try Jobs.make()
    let name = try #require(PayloadFileName("x.json"))
    var active = try #require(
      ActiveName(claiming: name, delivered: 1, arrival: Timestamp(milliseconds: 1)))
    active.attempt = 3
    try jobs.temporary.write(#"{"title":"T"}"#, to: "active/\(active.text)")
    var queue = try jobs.queue { $0.recoveryInterval = .milliseconds(10) }
    for attempts in 3...5 {
      let dropped = try Self.await(&queue)
      #expect(dropped.task == .reportCrashes(attempts: attempts))
    }
    var job = try Self.await(&queue)
    #expect(job.task == .reportCrashes(attempts: 6))
    #expect(try job.publish(job.textManifest()) == .published(generation: 1))
    try job.fail(Problem(.intake, .workerCrashed, "test"))
    #expect(try jobs.temporary.names(in: "outbox") == ["x"])
    #expect(try jobs.temporary.names(in: "failed") == ["x.json", "x.json.reason.json"])
  }

  @Test("Names of one file are jobs of their own, that do not wait for each other")
  func hardLinks() throws {
    let jobs = try Jobs.make()
    try jobs.put(#"{"title":"T"}"#, as: "a.json")
    for name in ["b.json", "c.json"] {
      try jobs.directory.incoming.link("a.json", to: name, in: jobs.directory.incoming)
    }
    var first = try jobs.queue()
    var second = try jobs.queue()
    let one = try first.nextJob()
    let two = try second.nextJob()
    let three = try first.nextJob()
    let names = [one.identifier.text, two.identifier.text, three.identifier.text]
    #expect(Set(names) == ["a", "b", "c"])
    #expect(try first.isIdle())
    #expect(try second.isIdle())
    #expect(try jobs.temporary.names(in: "tmp").isEmpty)
    #expect(try jobs.temporary.names(in: "active").count == 3)
    try one.finish(keepingPayload: true)
    try two.finish(keepingPayload: true)
    try three.finish(keepingPayload: true)
    #expect(try jobs.temporary.names(in: "done").count == 3)
  }

  @Test("A payload that is linked again from done ends there again, and is worked on once")
  func linkedAgain() throws {
    let jobs = try Jobs.make()
    try jobs.put(#"{"title":"T"}"#, as: "a.json")
    var queue = try jobs.queue { $0.recoveryInterval = .zero }
    let first = try queue.nextJob()
    try first.finish(keepingPayload: true)
    try jobs.directory.done.link("a.json", to: "a.json", in: jobs.directory.incoming)
    let again = try queue.nextJob()
    try again.finish(keepingPayload: true)
    #expect(try jobs.temporary.names(in: "active").isEmpty)
    #expect(try jobs.temporary.names(in: "done") == ["a.json"])
  }

  @Test("Removing one name of a payload with several cancels that job")
  func cancelledLink() throws {
    let jobs = try Jobs.make()
    try jobs.put(#"{"title":"T"}"#, as: "a.json")
    try jobs.directory.incoming.link("a.json", to: "a.json", in: jobs.directory.temporaries)
    var queue = try jobs.queue()
    let job = try queue.nextJob()
    #expect(try !job.isCancelled())
    #expect(try jobs.directory.cancel(job.identifier) == 1)
    #expect(try job.isCancelled())
  }

  @Test("After too many crashes of reports the job is only buried")
  func poison() throws {
    let jobs = try Jobs.make()
    let name = try #require(PayloadFileName("x.json"))
    var active = try #require(
      ActiveName(claiming: name, delivered: 1, arrival: Timestamp(milliseconds: 1)))
    active.attempt = 11
    try jobs.temporary.write(#"{"title":"T"}"#, to: "active/\(active.text)")
    var queue = try jobs.queue { $0.recoveryInterval = .milliseconds(10) }
    let deadline = Deadline.after(.seconds(20))
    while try jobs.temporary.names(in: "failed").isEmpty, !deadline.hasPassed {
      if case .settled(let settled)? = try queue.claimNext() {
        guard case .failed(let problem) = settled.outcome else { break }
        #expect(problem.code == .workerCrashed)
      }
      try queue.wait(upTo: .milliseconds(50))
    }
    #expect(try jobs.temporary.names(in: "failed") == ["x.json", "x.json.reason.json"])
  }

  @Test("A job that was handed back keeps its place before later ones of its id")
  func handBack() throws {
    let jobs = try Jobs.make()
    var queue = try jobs.queue { $0.recoveryInterval = .milliseconds(10) }
    try jobs.put(#"{"title":"old","id":"x"}"#, as: "old.json")
    let old = try queue.nextJob()
    try Self.tick()
    try jobs.put(#"{"title":"new","id":"x"}"#, as: "new.json")
    var new = try queue.nextJob()
    #expect(new.order > old.order)
    try old.handBack()
    #expect(try jobs.temporary.names(in: "incoming") == ["old.json"])
    #expect(try new.publish(new.textManifest()) == .published(generation: 1))
    try new.finish(keepingPayload: true)
    var again = try Self.await(&queue)
    #expect(again.attempt == 1)
    #expect(try again.publish(again.textManifest()) == .superseded)
    try again.finish(keepingPayload: true)
    let title = try jobs.manifest("x").json.object?["notification"]?.object?["title"]
    #expect(title == "new")
    #expect(try jobs.temporary.names(in: "outbox") == ["x"])
  }

  @Test("A job whose name is taken again stays in active when it is handed back")
  func handBackToTakenName() throws {
    let jobs = try Jobs.make()
    var queue = try jobs.queue { $0.recoveryInterval = .milliseconds(10) }
    try jobs.put(#"{"title":"old"}"#, as: "x.json")
    let old = try queue.nextJob()
    try jobs.put(#"{"title":"new"}"#, as: "x.json")
    try old.handBack()
    #expect(try jobs.temporary.names(in: "active").count == 1)
    let first = try Self.await(&queue)
    let second = try Self.await(&queue)
    #expect(Set([first.payload.title, second.payload.title]) == ["old", "new"])
    #expect(first.attempt == 1)
    #expect(second.attempt == 1)
  }

  @Test("A removed payload cancels its job: nothing is published")
  func cancelled() throws {
    let jobs = try Jobs.make()
    var queue = try jobs.queue()
    try jobs.put(#"{"title":"T"}"#, as: "x.json")
    var job = try queue.nextJob()
    let identifier = job.identifier
    #expect(try jobs.directory.cancel(identifier) == 1)
    #expect(try job.isCancelled())
    #expect(try job.publish(job.textManifest()) == .cancelled)
    try job.finish(keepingPayload: true)
    #expect(try jobs.temporary.names(in: "outbox").isEmpty)
    #expect(try jobs.temporary.names(in: "done") == ["x.json", "x.json.reason.json"])
    #expect(try jobs.directory.jobs(of: identifier).map(\.shownState) == ["cancelled"])
  }

  @Test("A payload that waits for another try ends as cancelled, until its name comes again")
  func cancelledRetry() throws {
    let jobs = try Jobs.make()
    let name = try #require(PayloadFileName("x.json"))
    var active = try #require(
      ActiveName(claiming: name, delivered: 1, arrival: Timestamp(milliseconds: 1)))
    active.attempt = 2
    try jobs.temporary.write(#"{"title":"old"}"#, to: "active/\(active.text)")
    try jobs.put(#"{"title":"new","id":"x"}"#, as: "new.json")
    let identifier = try #require(JobIdentifier("x"))
    #expect(try jobs.directory.cancel(identifier) == 2)
    #expect(try !jobs.directory.hasWork())
    let entries = try jobs.directory.jobs(of: identifier)
    #expect(entries.map(\.shownState) == ["cancelled", "cancelled"])
    #expect(entries.allSatisfy { $0.reason?.object?["cancelled"]?.string != nil })
    #expect(try jobs.directory.cancel(identifier) == 0)
    #expect(try jobs.directory.stats().done == 2)
    try JobCareTests.publish(#"{"title":"again"}"#, as: "x.json", in: jobs)
    let later = try jobs.directory.jobs(of: identifier)
    #expect(
      Set(later.map { "\($0.payloadName) \($0.shownState)" })
        == ["x.json done", "new.json cancelled"])
    #expect(try jobs.directory.erase(identifier).payloads == 2)
    #expect(try jobs.temporary.names(in: "done").isEmpty)
  }

  /// Lets the kernel's clock for file times go on: it ticks every few milliseconds.
  static func tick() throws {
    let temporary = try TemporaryDirectory()
    let folder = try Directory(opening: temporary.path)
    try temporary.write("", to: "first")
    let first = try folder.status(of: "first")?.changed
    var number = 0
    repeat {
      number += 1
      try temporary.write("", to: "\(number)")
    } while try folder.status(of: "\(number)")?.changed == first
  }
}
