import Files
import Media
import SharedCache

/// Times what should cost the same however much a cache holds.
enum Cost {
  private static let runs = 8

  /// Prints the milliseconds of a first hit (opening the cache, look-up, rendition, link), then the
  /// microseconds of a publication and of an eviction, each the median of several.
  static func measure(_ directory: String) throws {
    let start = ContinuousClock.now
    let cache = try SharedCache.open(directory: directory)
    try Timing(cache: cache).firstHit()
    let hit = start.duration(to: .now) / .milliseconds(1)
    let publications = try (0..<64).map { try publication($0, cache) }
    let evictions = try (0..<runs).map { _ in try eviction(directory) }
    report("\(hit) \(median(publications)) \(median(evictions))")
  }

  private static func publication(_ number: Int, _ cache: SharedCache) throws -> Double {
    let bytes = Array("cost \(number)".utf8)
    let start = ContinuousClock.now
    let temporary = try cache.makeTemporary()
    try unsafe temporary.descriptor.write(bytes.span.bytes)
    _ = try cache.publish(temporary, as: .object(.png))
    return start.duration(to: .now) / .microseconds(1)
  }

  /// One object's share of a run of the evictor.
  private static func eviction(_ directory: String) throws -> Double {
    let known = try SharedCache.open(directory: directory).statistics()
    let bytes = known.objects.bytes + known.originals.bytes
    let cache = try SharedCache.open(
      directory: directory, limits: CacheLimits(maxBytes: bytes - 1, minFree: 0))
    let start = ContinuousClock.now
    guard let done = try cache.evict(), done.evicted + done.settled > 0 else { throw WrongUsage() }
    return start.duration(to: .now) / .microseconds(1) / Double(done.evicted + done.settled)
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
