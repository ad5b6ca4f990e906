import Files
import Foundation
import Glibc
import Media
import SharedCache
import TestSupport
import Testing

@Suite("A damaged index", .timeLimit(.minutes(30)))
struct IndexDamageTests {
  /// What one cache knows, to compare with later.
  struct Knowledge {
    var sources: [SourceRecord] = []
    var renditions: [(original: ContentHash, record: RenditionRecord)] = []

    init(filling cache: SharedCache) throws {
      for number in 0..<60 as Range<UInt64> {
        let source = try SourceTests.record(
          "https://h\(number % 7).example/\(number)", seed: number)
        try cache.store(source, now: newYear)
        let object = ObjectName(try #require(ContentHash.of("object \(number)")), format: .jpeg)
        let record = RenditionRecord(
          object: object, format: .jpeg, size: PixelSize(width: Int(number), height: 9), frames: 1,
          bytes: 1000)
        try cache.store(record, of: source.original, key: "k")
        sources.append(source)
        renditions.append((source.original, record))
      }
    }

    /// How much is still known; none of it may be wrong.
    func checked(against cache: SharedCache) -> Int {
      var known = 0
      for source in sources {
        guard let found = cache.lookUp(source.key, now: newYear) else { continue }
        #expect(found == source)
        known += 1
      }
      for (original, record) in renditions {
        guard let found = cache.renditions(of: original, keys: ["k"], now: newYear)["k"] else {
          continue
        }
        #expect(found == record)
        known += 1
      }
      return known
    }
  }

  @Test func `flips and truncations cost misses, never a wrong answer, and the index works again`()
    throws
  {
    var random = SplitMix(seed: 3)
    for _ in 0..<40 * DamageTests.rounds {
      let fixture = try CacheFixture.make()
      let knowledge = try Knowledge(filling: fixture.cache)
      #expect(knowledge.checked(against: fixture.cache) == 120)
      let suffix = ["", "", "-wal", "-shm"][Int.random(in: 0..<4, using: &random)]
      let file = "\(fixture.path)/index.sqlite\(suffix)"
      let size = try Descriptor.open(file, flags: O_RDONLY).size()
      for _ in 0..<Int.random(in: 1...40, using: &random) where size > 0 {
        // -shm is memory that processes share, no file of the disk: nothing cuts it.
        let flip = Damage.flip(bit: .random(in: 0..<size * 8, using: &random))
        try (suffix == "-shm" ? flip : .random(size: size, &random)).apply(to: file)
      }
      try Self.expectRecovery(fixture, knowledge, ofMemory: suffix == "-shm")
    }
  }

  @Test(arguments: ["garbage", "zeros", "empty", "removed", "old version"])
  func `whatever becomes of the file, the next look-up makes it anew`(fate: String) throws {
    let fixture = try CacheFixture.make()
    let knowledge = try Knowledge(filling: fixture.cache)
    let file = "\(fixture.path)/index.sqlite"
    switch fate {
    case "garbage": try Data(sampleBytes(1, count: 90_000)).write(to: URL(filePath: file))
    case "zeros": try Data(count: 90_000).write(to: URL(filePath: file))
    case "empty": try Damage.truncate(to: 0).apply(to: file)
    case "removed": try remove(file)
    default: try Self.setVersion(-1, of: file)
    }
    try Self.expectRecovery(fixture, knowledge)
  }

  /// Writes user_version where SQLite's file format (§1.3) has it: offset 60, big-endian.
  private static func setVersion(_ version: Int32, of file: String) throws {
    let descriptor = try Descriptor.open(file, flags: O_RDWR)
    lseek(descriptor.number, 60, SEEK_SET)
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: version >> (24 - 8 * $0)) }
    try unsafe descriptor.write(bytes.span.bytes)
    for suffix in ["-wal", "-shm"] { try remove(file + suffix) }
  }

  /// Both a connection that was open and a new one go on, and both see the same again.
  private static func expectRecovery(
    _ fixture: borrowing CacheFixture, _ knowledge: Knowledge, ofMemory: Bool = false
  ) throws {
    let other = try fixture.reopened()
    _ = knowledge.checked(against: other)
    _ = knowledge.checked(against: fixture.cache)
    let fresh = try SourceTests.record("https://new.example/", seed: 99)
    // The first write may be what finds the damage.
    _ = try? fixture.cache.store(fresh, now: newYear)
    _ = try? fixture.cache.store(fresh, now: newYear)
    #expect(fixture.cache.lookUp(fresh.key, now: newYear) == fresh)
    _ = knowledge.checked(against: other)
    // What is wrong with shared memory may be found by a later look-up, which makes the index anew.
    if ofMemory, other.lookUp(fresh.key, now: newYear) == nil {
      _ = try fixture.cache.store(fresh, now: newYear)
    }
    #expect(other.lookUp(fresh.key, now: newYear) == fresh)
    #expect(try fixture.reopened().lookUp(fresh.key, now: newYear) == fresh)
  }

  @Test func `what lies in the cache is counted before a new index admits more`() async throws {
    let fixture = try CacheFixture.make()
    let limits = CacheLimits(maxBytes: 600_500, minFree: 0)
    let full = try SharedCache.open(directory: fixture.path, limits: limits)
    for seed in 0..<600 {
      _ = try full.publish(sampleBytes(UInt64(seed)), as: seed % 2 == 0 ? .original : .object(.gif))
    }
    for suffix in ["", "-wal", "-shm"] { try remove("\(fixture.path)/index.sqlite\(suffix)") }
    // Too young to be evicted: nothing more may be kept, by whichever process comes first.
    let caches = try (0..<3).map { _ in
      try SharedCache.open(directory: fixture.path, limits: limits)
    }
    await withTaskGroup(of: Void.self) { group in
      for (index, cache) in caches.enumerated() {
        group.addTask {
          for number in 0..<100 {
            _ = try? cache.publish(sampleBytes(UInt64(10_000 + index * 100 + number)))
          }
        }
      }
    }
    #expect(try Self.bytesOnDisk(fixture) == 600_000)
    // An hour later there is room, and no more than there may be.
    let later = newYear + EvictionTests.hour
    for number in 0..<300 as Range<UInt64> {
      _ = try? caches[0].publish(sampleBytes(20_000 + number), now: later)
    }
    #expect(try Self.bytesOnDisk(fixture) <= 600_500)
    let statistics = try caches[1].statistics()
    #expect(
      try statistics.objects.bytes + statistics.originals.bytes == Self.bytesOnDisk(fixture))
    let report = try caches[2].verify(now: later)
    #expect(report.adopted == 0 && report.lost == 0)
    #expect(exists("\(fixture.path)/index.sqlite"))
  }

  /// What the files come to, by an independent count.
  private static func bytesOnDisk(_ fixture: borrowing CacheFixture) throws -> Int {
    var bytes = 0
    for area in ["objects", "originals"] {
      let root = URL(filePath: "\(fixture.path)/\(area)")
      let keys: [URLResourceKey] = [.fileSizeKey, .isRegularFileKey]
      let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: keys)
      while let file = files?.nextObject() as? URL {
        let values = try file.resourceValues(forKeys: Set(keys))
        if values.isRegularFile == true { bytes += values.fileSize ?? 0 }
      }
    }
    return bytes
  }

  @Test func `files survive a lost index and count again`() throws {
    let fixture = try CacheFixture.make()
    let stored = try (0..<50).map {
      try fixture.cache.publish(sampleBytes($0), as: $0 < 20 ? .original : .object(.gif))
    }
    for suffix in ["", "-wal", "-shm"] { try remove("\(fixture.path)/index.sqlite\(suffix)") }
    let cache = try fixture.reopened()
    #expect(try cache.statistics().objects.count == 0)
    try cache.housekeep(now: newYear)
    #expect(try cache.statistics().objects == AreaTotal(count: 30, bytes: 30_000))
    #expect(try cache.statistics().originals == AreaTotal(count: 20, bytes: 20_000))
    for object in stored { #expect(try cache.bytes(of: object.name).count == 1000) }
  }
}
