import Files
import Foundation
import Glibc
import Media
import SharedCache
import TestSupport
import Testing

@Suite("Maintenance", .timeLimit(.minutes(15)))
struct MaintenanceTests {
  /// An address with its original and one rendition.
  struct Picture {
    var source: SourceRecord
    var original: StoredObject
    var rendition: StoredObject

    init(_ url: String, seed: UInt64, rendition: UInt64, in cache: SharedCache) throws {
      original = try cache.publish(sampleBytes(seed), as: .original)
      self.rendition = try cache.publish(sampleBytes(rendition))
      source = try SourceTests.record(url, seed: seed)
      try cache.store(source, now: newYear)
      try cache.store(
        RenditionRecord(
          object: self.rendition.name, format: .jpeg, size: PixelSize(width: 1, height: 1),
          frames: 1, bytes: 1_000), of: source.original, key: "k")
    }
  }

  @Test func `purging an address takes what was made from it alone`() throws {
    let fixture = try CacheFixture.make()
    let cache = fixture.cache
    let first = try Picture("https://a.example/1", seed: 1, rendition: 101, in: cache)
    let sameContent = try Picture("https://b.example/1", seed: 1, rendition: 101, in: cache)
    let sameRendition = try Picture("https://a.example/2", seed: 2, rendition: 101, in: cache)
    try cache.poison(first.source.original, decoder: "d", reason: .crashed, now: newYear)

    #expect(try cache.purge(url: "https://a.example/1") == PurgeReport(sources: 1))
    #expect(cache.lookUp(first.source.key, now: newYear) == nil)
    #expect(cache.lookUp(sameContent.source.key, now: newYear) != nil)
    #expect(try cache.bytes(of: first.original.name).count == 1_000)

    let second = try cache.purge(url: "https://b.example/1")
    #expect(second == PurgeReport(sources: 1, objects: 1, bytes: 1_000))
    #expect(throws: CacheFailure.missing(first.original.name)) {
      _ = try cache.open(first.original.name, now: newYear)
    }
    #expect(try cache.bytes(of: sameRendition.rendition.name).count == 1_000)
    #expect(cache.poisonReason(of: first.source.original, decoder: "d") == nil)

    let third = try cache.purge(url: "https://a.example/2")
    #expect(third == PurgeReport(sources: 1, objects: 2, bytes: 2_000))
    #expect(try cache.statistics().objects == AreaTotal())
  }

  @Test func `verifying counts foreign names, and leaves them`() throws {
    let fixture = try CacheFixture.make()
    let stored = try fixture.cache.publish(sampleBytes(1))
    let shard = stored.name.relativePath.split(separator: "/").dropLast().joined(separator: "/")
    let foreign = ["\(shard)/aaaa.jpg", "objects/zz", "originals/note.txt"]
    for name in foreign { try fixture.folder.write("x", to: "cache/\(name)") }
    let report = try fixture.cache.verify()
    #expect(report.foreign == 3 && report.checked == 1 && report.isClean)
    for name in foreign { #expect(exists("\(fixture.path)/\(name)")) }
  }

  @Test func `what outboxes link to now is counted, before any eviction and after they let go`()
    throws
  {
    let fixture = try CacheFixture.make()
    let outbox = try Directory(opening: try fixture.folder.makeFolder("outbox"))
    let stored = try (0..<5).map { try fixture.cache.publish(sampleBytes($0)) }
    _ = try fixture.cache.publish(sampleBytes(9), as: .original)
    #expect(try fixture.cache.linkedCount() == 0)
    for (number, name) in [(0, "a"), (0, "b"), (3, "c")] {
      _ = try fixture.cache.link(stored[number].name, into: outbox, as: name)
    }
    #expect(try fixture.cache.linkedCount() == 2)
    try remove(fixture.folder.path(of: "outbox/a"))
    #expect(try fixture.cache.linkedCount() == 2)
    try remove(fixture.folder.path(of: "outbox/b"))
    #expect(try fixture.cache.linkedCount() == 1)
  }

  @Test func `purging a host leaves the others alone`() throws {
    let fixture = try CacheFixture.make()
    let cache = fixture.cache
    for number in 0..<30 as Range<UInt64> {
      _ = try Picture(
        "https://\(number % 3).example:8443/\(number)", seed: number, rendition: 100 + number,
        in: cache)
    }
    let dead = SourceKey(url: "https://user@1.EXAMPLE/dead")
    try cache.recordFailure(of: dead, .gone, code: .httpStatus, message: "", now: newYear)
    var expected = PurgeReport(sources: 10, objects: 20, bytes: 20_000)
    expected.failures = 1
    #expect(try cache.purge(host: "1.example") == expected)
    #expect(cache.failure(of: dead, now: newYear) == nil)
    #expect(try cache.statistics().sources == 20)
    #expect(try cache.verify(now: newYear).checked == 40)
  }

  @Test func `purging everything leaves an empty cache that works`() throws {
    let fixture = try CacheFixture.make()
    for number in 0..<5 as Range<UInt64> {
      _ = try Picture("https://a.example/\(number)", seed: number, rendition: 9, in: fixture.cache)
    }
    #expect(
      try fixture.cache.purgeAll() == PurgeReport(sources: 5, objects: 6, bytes: 6_000))
    let statistics = try fixture.cache.statistics()
    #expect(statistics.objects == AreaTotal() && statistics.originals == AreaTotal())
    #expect(statistics.sources == 0 && statistics.renditions == 0)
    _ = try Picture("https://a.example/1", seed: 1, rendition: 2, in: fixture.cache)
    #expect(try fixture.cache.statistics().objects.count == 1)
  }

  @Test func `listing tells each source once, or those of a host`() throws {
    let fixture = try CacheFixture.make()
    let urls = (0..<1203).map { "https://\($0 % 2).example/\($0)" }
    for url in urls { try fixture.cache.store(SourceTests.record(url), now: newYear) }
    var listed: [String] = []
    try fixture.cache.forEachSource {
      listed.append($0.source.key.url)
      return true
    }
    #expect(listed == urls)
    var ofHost = 0
    try fixture.cache.forEachSource(host: "1.example") { _ in
      ofHost += 1
      return ofHost < 10
    }
    #expect(ofHost == 10)
  }

  @Test func `what stops being fresh soonest is listed first`() throws {
    let fixture = try CacheFixture.make()
    for seconds in [300, 100, 200] {
      try fixture.cache.store(
        SourceTests.record(
          "https://a.example/\(seconds)", fields: [("Cache-Control", "max-age=\(seconds)")]),
        now: newYear)
    }
    let soon = try fixture.cache.sources(before: newYear + 300_000, limit: 10)
    #expect(soon.map(\.key.url) == ["https://a.example/100", "https://a.example/200"])
  }

  @Test func `an address's files are told by path`() throws {
    let fixture = try CacheFixture.make()
    let picture = try Picture("https://a.example/1", seed: 1, rendition: 2, in: fixture.cache)
    #expect(
      try fixture.cache.paths(of: "https://a.example/1") == [
        fixture.path(of: picture.rendition.name), fixture.path(of: picture.original.name),
      ])
    #expect(try fixture.cache.paths(of: "https://a.example/2").isEmpty)
  }

  @Test func `the janitor takes what the dead left and nothing of the living`() throws {
    let fixture = try CacheFixture.make()
    let living = try fixture.cache.makeTemporary()
    try fixture.folder.write("left behind", to: "cache/tmp/1-1")
    try fixture.folder.write("", to: "cache/locks/flight-dead")
    let now = WallClock.now()
    #expect(try fixture.cache.sweep(now: now) == JanitorReport(), "young files stay")
    let report = try fixture.cache.sweep(now: now + 120_000)
    #expect(report.temporaries == 1 && report.locks == 1)
    #expect(try fixture.folder.names(in: "cache/tmp").count == 1)
    _ = try fixture.cache.publish(living, as: .original)
    #expect(try fixture.folder.names(in: "cache/tmp").isEmpty)
  }

  @Test func `addresses that nobody asks for are forgotten after a month`() throws {
    let fixture = try CacheFixture.make()
    let (old, used) = ("https://a.example/old", "https://a.example/used")
    for url in [old, used] { try fixture.cache.store(SourceTests.record(url), now: newYear) }
    let day: Int64 = 86_400_000
    _ = fixture.cache.lookUp(SourceKey(url: used), now: newYear + 10 * day)
    #expect(try fixture.cache.sweep(now: newYear + 31 * day).rows == 1)
    #expect(fixture.cache.lookUp(SourceKey(url: old), now: newYear) == nil)
    #expect(fixture.cache.lookUp(SourceKey(url: used), now: newYear) != nil)
  }

  @Test func `pruning enters unknown files, drops lost rows and keeps the limits`() throws {
    let fixture = try CacheFixture.make()
    let stored = try (0..<10).map { try fixture.cache.publish(sampleBytes($0)) }
    try remove(fixture.path(of: stored[0].name))
    let cache = try SharedCache.open(
      directory: fixture.path, limits: CacheLimits(maxBytes: 5_000, minFree: 0))
    let report = try cache.prune(now: newYear + 3_600_000)
    #expect(report.limitsHold && report.evicted == 5 && report.remaining == 4_000)
  }
}
