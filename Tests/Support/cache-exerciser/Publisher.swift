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
    var number = 0
    while ContinuousClock.now < end {
      number += 1
      _ = try publish(
        seed: seed &* 1_000_003 &+ number, in: cache, now: fastClock(since: start))
    }
    report("wrote \(number)")
  }

  private static func publish(
    seed: Int, in cache: SharedCache, now: Int64
  ) throws -> StoredObject {
    var state = UInt64(bitPattern: Int64(seed)) &* 0x9e37_79b9_7f4a_7c15 | 1
    let bytes = (0..<1000 + Int((state >> 32) % 19_000)).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state >> 24)
    }
    let temporary = try cache.makeTemporary()
    try unsafe temporary.descriptor.write(bytes.span.bytes)
    return try cache.publish(
      temporary, as: seed % 3 == 0 ? .original : .object(.png), expecting: bytes.count, now: now)
  }
}
