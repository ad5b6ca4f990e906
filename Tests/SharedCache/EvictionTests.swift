import Files
import Foundation
import Glibc
import Media
import SharedCache
import TestSupport
import Testing

@Suite("Eviction", .timeLimit(.minutes(15)))
struct EvictionTests {
  static let hour: Int64 = 3_600_000

  /// The same directory with limits.
  private static func limited(
    _ fixture: borrowing CacheFixture, maxBytes: Int, minFree: Int = 0
  ) throws -> SharedCache {
    try SharedCache.open(
      directory: fixture.path, limits: CacheLimits(maxBytes: maxBytes, minFree: minFree))
  }

  @Test func `what was used longest ago goes first, in the hour's grain`() throws {
    let fixture = try CacheFixture.make()
    let stored = try (0..<10).map {
      try fixture.cache.publish(sampleBytes($0), now: newYear + Int64($0) * Self.hour)
    }
    let now = newYear + 20 * Self.hour
    _ = try fixture.cache.open(stored[0].name, now: now)
    let report = try #require(try Self.limited(fixture, maxBytes: 5_000).evict(now: now))
    // 10,000 bytes, down to 98 % of 5,000.
    #expect(report.evicted == 6 && report.bytes == 6_000 && report.remaining == 4_000)
    #expect(report.limitsHold)
    #expect(
      stored.map { exists(fixture.path(of: $0.name)) } == [
        true, false, false, false, false, false, false, true, true, true,
      ])
  }

  @Test func `originals go before renditions, however lately used`() throws {
    let fixture = try CacheFixture.make()
    let old = try fixture.cache.publish(sampleBytes(1), now: newYear)
    let original = try fixture.cache.publish(
      sampleBytes(2), as: .original, now: newYear + Self.hour)
    _ = try Self.limited(fixture, maxBytes: 1_500).evict(now: newYear + 2 * Self.hour)
    #expect(exists(fixture.path(of: old.name)))
    #expect(!exists(fixture.path(of: original.name)))
  }

  @Test func `nothing younger than a minute goes, and the report says that the limit is passed`()
    throws
  {
    let fixture = try CacheFixture.make()
    let stored = try (0..<5).map { try fixture.cache.publish(sampleBytes($0)) }
    let cache = try Self.limited(fixture, maxBytes: 10)
    let report = try #require(try cache.evict(now: newYear + 59_999))
    #expect(report.evicted == 0 && !report.limitsHold && report.remaining == 5_000)
    _ = try fixture.cache.publish(sampleBytes(0), now: newYear + 30_000)
    #expect(try cache.evict(now: newYear + 60_000)?.evicted == 4)
    #expect(exists(fixture.path(of: stored[0].name)), "published again half a minute ago")
  }

  @Test func `what outboxes link to goes last, and stays theirs`() throws {
    let fixture = try CacheFixture.make()
    let outbox = try Directory(opening: try fixture.folder.makeFolder("outbox"))
    let linked = try fixture.cache.publish(sampleBytes(1), now: newYear)
    _ = try fixture.cache.link(linked.name, into: outbox, as: "x.jpg")
    let free = try fixture.cache.publish(sampleBytes(2), now: newYear + Self.hour)
    let now = newYear + 2 * Self.hour
    _ = try Self.limited(fixture, maxBytes: 1_500).evict(now: now)
    #expect(exists(fixture.path(of: linked.name)) && !exists(fixture.path(of: free.name)))
    _ = try Self.limited(fixture, maxBytes: 500).evict(now: now)
    #expect(!exists(fixture.path(of: linked.name)))
    #expect(try fixture.folder.read("outbox/x.jpg") == sampleBytes(1))
  }

  @Test func `what is published stays until its time, but not against the file system's reserve`()
    throws
  {
    let fixture = try CacheFixture.make()
    let stored = try fixture.cache.publish(sampleBytes(1), now: newYear)
    try fixture.cache.keepPublished([stored.name], until: newYear + 48 * Self.hour)
    let tight = try Self.limited(fixture, maxBytes: 10)
    let early = try #require(try tight.evict(now: newYear + 48 * Self.hour - 1))
    #expect(early.evicted == 0 && !early.limitsHold && early.publishedBytes == 1_000)
    #expect(try tight.evict(now: newYear + 48 * Self.hour)?.evicted == 1)

    let again = try fixture.cache.publish(sampleBytes(1), now: newYear)
    try fixture.cache.keepPublished([again.name], until: newYear + 48 * Self.hour)
    let needy = try Self.limited(fixture, maxBytes: 1_000_000, minFree: .max)
    #expect(try needy.evict(now: newYear + Self.hour)?.evicted == 1)
    #expect(!exists(fixture.path(of: again.name)))
  }

  @Test func `nothing is published at the expense of the file system's reserve`() throws {
    let fixture = try CacheFixture.make()
    let needy = try Self.limited(fixture, maxBytes: 1_000_000, minFree: .max)
    #expect {
      _ = try needy.publish(sampleBytes(1))
    } throws: {
      if case .reserveReached = $0 as? CacheFailure { true } else { false }
    }
    #expect(try fixture.cache.statistics().objects.count == 0)
    #expect(try fixture.folder.names(in: "cache/tmp").isEmpty)
  }

  @Test func `only one evicts at a time`() throws {
    let fixture = try CacheFixture.make()
    _ = try fixture.cache.evict(now: newYear)
    let lock = try Descriptor.open("\(fixture.path)/locks/evictor", flags: O_RDWR)
    #expect(try lock.tryLock())
    #expect(try fixture.cache.evict(now: newYear) == nil)
  }

  @Test func `a row without a file counts no longer once eviction meets it`() throws {
    let fixture = try CacheFixture.make()
    let stored = try fixture.cache.publish(sampleBytes(1), now: newYear)
    try remove(fixture.path(of: stored.name))
    let report = try Self.limited(fixture, maxBytes: 10).evict(now: newYear + Self.hour)
    #expect(report?.evicted == 0 && report?.remaining == 0)
  }

  @Test func `eviction forgets the renditions that lay in the object`() throws {
    let fixture = try CacheFixture.make()
    let original = try #require(ContentHash.of("original"))
    let stored = try fixture.cache.publish(sampleBytes(1), now: newYear)
    try fixture.cache.store(
      RenditionRecord(
        object: stored.name, format: .jpeg, size: PixelSize(width: 1, height: 1), frames: 1,
        bytes: 1_000), of: original, key: "k")
    _ = try Self.limited(fixture, maxBytes: 10).evict(now: newYear + Self.hour)
    #expect(try fixture.cache.statistics().renditions == 0)
  }

  @Test func `writers, readers and evictors together keep the size and tear nothing`() async throws
  {
    let fixture = try CacheFixture.make()
    let (limit, path) = (2_000_000, fixture.path)
    let writers = TestScale.count(4, nightly: 8)
    let readers = TestScale.count(4, nightly: 32)
    let seconds = TestScale.count(3, nightly: 60)
    let start = WallClock.now()
    var commands = (0..<writers).map {
      ["write", path, "\($0)", "\(start)", "\(seconds)", "\(limit)"]
    }
    commands += (0..<readers).map { _ in ["read", path, "\(seconds)", "\(writers)"] }
    commands.append(["evict", path, "\(start)", "\(seconds)", "\(limit)"])
    let watch = Task { try await Self.largestUse(of: path) }
    let said = try await Self.run(commands, limit: .seconds(seconds + 60))
    watch.cancel()
    let largest = try await watch.value
    print("largest \(largest) of \(limit): \(said.sorted().joined(separator: "; "))")
    #expect(said.count { $0.hasPrefix("wrote ") } == writers)
    #expect(said.count { $0.hasSuffix(" torn 0 wrong 0") } == readers)
    #expect(said.filter { $0.hasPrefix("read ") }.allSatisfy { !$0.contains(" found 0 ") })
    // Two per cent, and one object a writer of at most 20,000 bytes.
    #expect(largest <= limit + limit / 50 + writers * 20_000)
    #expect(largest > limit / 2, "the writers were too slow to fill the cache")
    #expect(try fixture.cache.verify().isClean)
    #expect(try fixture.folder.names(in: "cache/tmp").isEmpty)
  }

  /// Runs processes at once to their ends; what each said.
  private static func run(_ commands: [[String]], limit: Duration) async throws -> [String] {
    try await withThrowingTaskGroup(of: String.self) { group in
      for arguments in commands {
        let command = try Command.built("cache-exerciser", arguments)
        group.addTask {
          let outcome = try await command.run(limit: limit)
          return outcome.lines.joined(separator: " ")
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// The largest size seen until the task is cancelled.
  private static func largestUse(of path: String) async throws -> Int {
    var largest = 0
    while !Task.isCancelled {
      largest = max(largest, try diskUse(path))
      try? await Task.sleep(for: .milliseconds(20))
    }
    return largest
  }

  /// Bytes of the files in objects/ and originals/ at one passage over them.
  private static func diskUse(_ path: String) throws -> Int {
    var bytes = 0
    for area in ["objects", "originals"] {
      let directory = try Directory(opening: "\(path)/\(area)")
      var shards: [String] = []
      try directory.forEachName {
        shards.append($0)
        return true
      }
      for name in shards {
        let shard = try directory.subdirectory(name)
        var files: [String] = []
        try shard.forEachName {
          files.append($0)
          return true
        }
        for file in files { bytes += try shard.status(of: file)?.size ?? 0 }
      }
    }
    return bytes
  }
}
