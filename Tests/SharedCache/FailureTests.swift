import Media
import SharedCache
import Testing

@Suite("Failures that are remembered", .timeLimit(.minutes(15)))
struct FailureTests {
  static let key = SourceKey(url: "https://dead.example/x.jpg")

  @Test(arguments: [FailureKind.gone, .rejected])
  func `a refusal lasts ten minutes, a tenth more or less`(kind: FailureKind) throws {
    let fixture = try CacheFixture.make()
    for _ in 0..<3 {
      let record = try fixture.cache.recordFailure(
        of: Self.key, kind, code: .httpStatus, message: "status 404", now: newYear)
      #expect((540_000...660_000).contains(record.nextTry - newYear))
    }
    let found = try #require(fixture.cache.failure(of: Self.key, now: newYear + 539_999))
    #expect(found.kind == kind && found.code == .httpStatus && found.message == "status 404")
    #expect(fixture.cache.failure(of: Self.key, now: newYear + 660_001) == nil)
    #expect(try fixture.reopened().failure(of: Self.key, now: newYear) == found)
  }

  @Test func `a passing failure waits 30 s, then twice as long each time, up to an hour`() throws {
    let fixture = try CacheFixture.make()
    var now = newYear
    for expected: Int64 in [30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600] {
      let record = try fixture.cache.recordFailure(
        of: Self.key, .transient, code: .connectFailure, message: "refused", now: now)
      #expect((expected * 900...expected * 1100).contains(record.nextTry - now))
      now = record.nextTry
    }
  }

  @Test func `after two quiet hours the count begins anew`() throws {
    let fixture = try CacheFixture.make()
    var now = newYear
    for _ in 0..<4 {
      now = try fixture.cache.recordFailure(
        of: Self.key, .transient, code: .dnsFailure, message: "", now: now
      ).nextTry
    }
    let later = try fixture.cache.recordFailure(
      of: Self.key, .transient, code: .dnsFailure, message: "", now: now + 7_200_000)
    #expect(later.count == 1)
  }

  @Test func `Retry-After prolongs the wait, up to a day`() throws {
    let fixture = try CacheFixture.make()
    let polite = try fixture.cache.recordFailure(
      of: Self.key, .transient, code: .httpStatus, message: "429", retryAfter: 500_000,
      now: newYear)
    #expect(polite.nextTry == newYear + 500_000)
    let absurd = try fixture.cache.recordFailure(
      of: Self.key, .transient, code: .httpStatus, message: "429", retryAfter: .max, now: newYear)
    #expect(absurd.nextTry == newYear + 86_400_000)
  }

  @Test func `a failure of one Accept alone is none of the others'`() throws {
    let fixture = try CacheFixture.make()
    let film = SourceKey(url: Self.key.url, variant: "video/mp4")
    let picture = SourceKey(url: Self.key.url, variant: "image/jpeg")
    try fixture.cache.recordFailure(
      of: film, .rejected, code: .unsupportedFormat, message: "a JPEG", ofVariantAlone: true,
      now: newYear)
    #expect(fixture.cache.failure(of: film, now: newYear)?.code == .unsupportedFormat)
    #expect(fixture.cache.failure(of: picture, now: newYear) == nil)
    #expect(fixture.cache.failure(of: Self.key, now: newYear) == nil)
    try fixture.cache.recordFailure(
      of: picture, .gone, code: .httpStatus, message: "404", now: newYear + 1)
    for key in [film, picture, Self.key] {
      #expect(fixture.cache.failure(of: key, now: newYear + 1)?.kind == .gone)
    }
    _ = try fixture.cache.purge(url: Self.key.url)
    for key in [film, picture, Self.key] {
      #expect(fixture.cache.failure(of: key, now: newYear + 1) == nil)
    }
  }

  @Test func `a good answer ends it`() throws {
    let fixture = try CacheFixture.make()
    try fixture.cache.recordFailure(
      of: Self.key, .transient, code: .httpStatus, message: "503", now: newYear)
    try fixture.cache.store(SourceTests.record(Self.key.url), now: newYear)
    #expect(fixture.cache.failure(of: Self.key, now: newYear) == nil)
  }

  @Test func `a clock that was set back does not prolong it`() throws {
    let fixture = try CacheFixture.make()
    try fixture.cache.recordFailure(
      of: Self.key, .gone, code: .httpStatus, message: "410", now: newYear)
    #expect(fixture.cache.failure(of: Self.key, now: newYear - 3_600_000) == nil)
  }

  @Test
  func `of one address a thousand failures cost a thousand jobs no more than their waits allow`()
    throws
  {
    let fixture = try CacheFixture.make()
    var requests = 0
    for job in 0..<1000 {
      let now = newYear + Int64(job) * 100
      if fixture.cache.failure(of: Self.key, now: now) != nil { continue }
      requests += 1
      try fixture.cache.recordFailure(
        of: Self.key, .transient, code: .connectFailure, message: "", now: now)
    }
    // 100 s of jobs: at 0 s, after 27…33 s, after 54…66 s more.
    #expect(requests == 3)
  }
}
