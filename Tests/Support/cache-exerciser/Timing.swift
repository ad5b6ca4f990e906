import Files
import Media
import SharedCache

/// Times what a job asks of a cache, beside whatever rows there are already.
struct Timing {
  let cache: SharedCache

  func store(_ count: Int) throws {
    let start = ContinuousClock.now
    for number in 0..<count {
      let temporary = try cache.makeTemporary()
      try unsafe temporary.descriptor.write(Array("picture \(number)".utf8).span.bytes)
      let stored = try cache.publish(temporary, as: .object(.jpeg))
      let now = WallClock.now()
      try cache.store(
        SourceRecord(
          key: key(number), finalURL: key(number).url,
          fields: ResponseFields([.init("Cache-Control", "max-age=360000")]), requestTime: now,
          responseTime: now, original: stored.name.hash, bytes: stored.bytes, format: .jpeg,
          facts: []))
      try cache.store(
        RenditionRecord(
          object: stored.name, format: .jpeg, size: PixelSize(width: 4, height: 3), frames: 1,
          bytes: stored.bytes), of: stored.name.hash, key: "iphone")
    }
    report("store \(Self.microseconds(since: start) / Double(max(count, 1))) µs each")
  }

  func measure(_ count: Int) async throws {
    let outbox = try Directory(opening: "\(cache.directory)/tmp")
    var start = ContinuousClock.now
    try hit(0, into: outbox)
    report("first hit \(Self.microseconds(since: start)) µs")
    start = .now
    for number in 0..<count { _ = cache.lookUp(key(number)) }
    report("look-up \(Self.microseconds(since: start) / Double(count)) µs each")
    start = .now
    for number in 0..<count { try hit(number, into: outbox) }
    report("hit with link \(Self.microseconds(since: start) / Double(count)) µs each")
    start = .now
    for number in 0..<count {
      _ = try await cache.flights.board("key \(number)", deadline: .after(.seconds(10)))
    }
    report("flight \(Self.microseconds(since: start) / Double(count)) µs each")
    start = .now
    let eviction = try cache.evict()
    report("eviction of \(eviction?.evicted ?? 0) \(Self.microseconds(since: start)) µs")
  }

  /// Uses the first of the stored pictures.
  func firstHit() throws {
    try hit(0, into: try Directory(opening: "\(cache.directory)/tmp"))
  }

  private func hit(_ number: Int, into outbox: borrowing Directory) throws {
    guard let source = cache.lookUp(key(number)),
      let rendition = cache.renditions(of: source.original, keys: ["iphone"])["iphone"]
    else { throw WrongUsage() }
    _ = try cache.link(rendition.object, into: outbox, as: "timing")
    try outbox.remove("timing")
  }

  private func key(_ number: Int) -> SourceKey {
    SourceKey(url: "https://timing.example/\(number)")
  }

  private static func microseconds(since start: ContinuousClock.Instant) -> Double {
    start.duration(to: .now) / .microseconds(1)
  }
}
