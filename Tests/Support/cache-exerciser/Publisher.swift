import Files
import Glibc
import Media
import SharedCache

/// Publishes objects, one or many.
enum Publisher {
  /// Everything a job does for one address: original, rendition, and the rows that name them.
  static func publish(_ file: String, in cache: SharedCache) throws {
    let source = try Descriptor.open(file, flags: O_RDONLY)
    let size = try source.size()
    let original = try cache.publish(copying: source, range: 0..<size, as: .original)
    let object = try cache.publish(copying: source, range: 0..<size, as: .object(.jpeg))
    let now = WallClock.now()
    try cache.store(
      SourceRecord(
        key: SourceKey(url: "https://a.example/x"), finalURL: "https://a.example/x",
        fields: ResponseFields([.init("Cache-Control", "max-age=3600")]), requestTime: now,
        responseTime: now, original: original.name.hash, bytes: size, format: .jpeg, facts: []))
    try cache.store(
      RenditionRecord(
        object: object.name, format: .jpeg, size: PixelSize(width: 4, height: 3), frames: 1,
        bytes: object.bytes), of: original.name.hash, key: "4x3")
    report("published \(object.name.relativePath)")
  }

  static func publishMany(_ cache: SharedCache, seed: Int) throws {
    for number in 0..<1_000_000 {
      let stored = try publish(seed: seed &* 1_000_003 &+ number, in: cache, now: WallClock.now())
      report(stored.name.relativePath)
    }
  }

  /// Publishes for a time on the fast clock.
  static func write(_ cache: SharedCache, seed: Int, start: Int64, seconds: Int) throws {
    let end = ContinuousClock.now.advanced(by: .seconds(seconds))
    var (number, refused) = (0, 0)
    while ContinuousClock.now < end {
      number += 1
      do throws(CacheFailure) {
        let stored = try publish(
          seed: seed &* 1_000_003 &+ number, in: cache, now: fastClock(since: start))
        try tell(stored, writer: seed, number: number, to: cache)
      } catch {
        // As a job goes on from memory.
        guard error.leavesUnkept else { throw error }
        refused += 1
        usleep(20_000)
      }
    }
    report("wrote \(number) refused \(refused)")
  }

  /// Evicts for a time on the fast clock.
  static func evict(_ cache: SharedCache, start: Int64, seconds: Int) async throws {
    let end = ContinuousClock.now.advanced(by: .seconds(seconds))
    var evicted = 0
    while ContinuousClock.now < end {
      evicted += try cache.evict(now: fastClock(since: start))?.evicted ?? 0
      try await Task.sleep(for: .milliseconds(5))
    }
    report("evicted \(evicted)")
  }

  /// The address under which a writer's object can be found again.
  static func url(writer: Int, number: Int) -> String { "https://a.example/\(writer)/\(number)" }

  /// Enters an original as what its address gave, and an object as the one rendition of it.
  private static func tell(
    _ stored: StoredObject, writer: Int, number: Int, to cache: SharedCache
  ) throws(CacheFailure) {
    let url = url(writer: writer, number: number)
    guard stored.name.area == .originals else {
      guard let original = ContentHash.of(url) else { return }
      return try cache.store(
        RenditionRecord(
          object: stored.name, format: .png, size: PixelSize(width: 4, height: 3), frames: 1,
          bytes: stored.bytes), of: original, key: "4x3")
    }
    let now = WallClock.now()
    try cache.store(
      SourceRecord(
        key: SourceKey(url: url), finalURL: url,
        fields: ResponseFields([.init("Cache-Control", "max-age=3600")]), requestTime: now,
        responseTime: now, original: stored.name.hash, bytes: stored.bytes, format: .png, facts: [])
    )
  }

  private static func publish(
    seed: Int, in cache: SharedCache, now: Int64
  ) throws(CacheFailure) -> StoredObject {
    let bytes = bytes(seed: seed)
    let temporary = try cache.makeTemporary()
    do throws(SystemCallFailure) {
      try unsafe temporary.descriptor.write(bytes.span.bytes)
    } catch {
      throw CacheFailure(error)
    }
    return try cache.publish(
      temporary, as: seed % 3 == 0 ? .original : .object(.png), expecting: bytes.count, now: now)
  }

  /// What a writer writes as its object of a number.
  static func bytes(writer: Int, number: Int) -> [UInt8] {
    bytes(seed: writer &* 1_000_003 &+ number)
  }

  private static func bytes(seed: Int) -> [UInt8] {
    var state = UInt64(bitPattern: Int64(seed)) &* 0x9e37_79b9_7f4a_7c15 | 1
    return (0..<1000 + Int((state >> 32) % 19_000)).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state >> 24)
    }
  }
}
