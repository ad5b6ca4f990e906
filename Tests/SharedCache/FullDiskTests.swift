import Files
import Foundation
import Glibc
import Media
import SharedCache
import TestSupport
import Testing

/// A file system of 8 MB in memory, unmounted with its owner.
struct SmallFileSystem: ~Copyable {
  let folder: TemporaryDirectory

  /// Nil where mounting is not permitted: the test is skipped then.
  static func mounted() async throws -> SmallFileSystem? {
    let folder = try TemporaryDirectory()
    let path = try folder.makeFolder("small")
    guard geteuid() == 0,
      let mount = try? Command.tool(
        "mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", path])
    else { return nil }
    guard try await mount.run().ending == .exited(0) else { return nil }
    return SmallFileSystem(folder: folder)
  }

  var path: String { folder.path(of: "small") }

  deinit { unsafe umount2(folder.path(of: "small"), 2) }
}

@Suite("A full disk", .timeLimit(.minutes(15)))
struct FullDiskTests {
  @Test
  func `nothing half-written is published, what is cached is served, and it recovers by itself`()
    async throws
  {
    guard let disk = try await SmallFileSystem.mounted() else { return }
    let limits = CacheLimits(maxBytes: 1_000_000_000, minFree: 0)
    let directory = "\(disk.path)/cache"
    let cache = try SharedCache.open(directory: directory, limits: limits)
    let ballast = "\(disk.path)/ballast"
    try Data(count: 2_000_000).write(to: URL(filePath: ballast))

    var known: [(SourceRecord, StoredObject)] = []
    var refusals = 0
    for seed in 0..<200 as Range<UInt64> where refusals < 20 {
      do throws(CacheFailure) {
        known.append(try Self.publish(seed, in: cache))
      } catch {
        guard case .diskFull = error else { throw error }
        refusals += 1
      }
    }
    #expect(refusals == 20 && known.count > 10)
    try Self.expectServed(known, by: cache)
    // A worker that starts now finds the same.
    try Self.expectServed(known, by: try .open(directory: directory, limits: limits))
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(directory)/tmp").isEmpty)

    // A process that another test starts just now may hold the file: its blocks go all the same.
    #expect(unsafe truncate(ballast, 0) == 0)
    let more = try Self.publish(1000, in: cache)
    try Self.expectServed(known + [more], by: cache)
    #expect(try cache.verify().isClean)
  }

  private static func publish(
    _ seed: UInt64, in cache: SharedCache
  ) throws(CacheFailure) -> (SourceRecord, StoredObject) {
    let now = WallClock.now()
    let temporary = try cache.makeTemporary()
    let bytes = sampleBytes(seed, count: 100_000)
    do throws(SystemCallFailure) {
      try unsafe temporary.descriptor.write(bytes.span.bytes)
    } catch {
      throw CacheFailure(error)
    }
    let stored = try cache.publish(temporary, as: .object(.png), expecting: 100_000, now: now)
    let record = SourceRecord(
      key: SourceKey(url: "https://a.example/\(seed)"), finalURL: "https://a.example/",
      fields: ResponseFields([.init("ETag", "\"1\"")]), requestTime: now, responseTime: now,
      original: stored.name.hash, bytes: 100_000, format: .png, facts: [])
    try cache.store(record, now: now)
    return (record, stored)
  }

  private static func expectServed(
    _ known: [(SourceRecord, StoredObject)], by cache: SharedCache
  ) throws {
    for (record, stored) in known {
      #expect(cache.lookUp(record.key) == record)
      #expect(try cache.bytes(of: stored.name).count == 100_000)
    }
  }
}
