import Media
import SharedCache
import Testing

@Suite("Sources", .timeLimit(.minutes(15)))
struct SourceTests {
  static func record(
    _ url: String, variant: String = "",
    fields: [(String, String)] = [("cache-control", "max-age=60")],
    seed: UInt64 = 1, at time: Int64 = newYear
  ) throws -> SourceRecord {
    SourceRecord(
      key: SourceKey(url: url, variant: variant), finalURL: url,
      fields: ResponseFields(fields.map { ResponseFields.Field($0.0, $0.1) }), requestTime: time,
      responseTime: time,
      original: try #require(unsafe ContentHash.of(sampleBytes(seed).span.bytes)),
      bytes: 1000, format: .png, facts: [1, 2, 3])
  }

  @Test func `an answer is found again, by another process too`() throws {
    let fixture = try CacheFixture.make()
    let record = try Self.record("https://a.example/x.png")
    #expect(try fixture.cache.store(record, now: newYear) == record)
    #expect(fixture.cache.lookUp(record.key, now: newYear) == record)
    #expect(try fixture.reopened().lookUp(record.key, now: newYear) == record)
    #expect(fixture.cache.lookUp(SourceKey(url: "https://a.example/y.png"), now: newYear) == nil)
  }

  @Test func `an answer counts for any Accept unless it says Vary: Accept`() throws {
    let fixture = try CacheFixture.make()
    let plain = try Self.record("https://a.example/p", variant: "image/webp")
    try fixture.cache.store(plain, now: newYear)
    let other = SourceKey(url: "https://a.example/p", variant: "image/png")
    #expect(fixture.cache.lookUp(other, now: newYear)?.original == plain.original)

    let varying = try Self.record(
      "https://a.example/v", variant: "image/webp", fields: [("Vary", "Origin, Accept")])
    try fixture.cache.store(varying, now: newYear)
    #expect(fixture.cache.lookUp(varying.key, now: newYear)?.original == varying.original)
    #expect(
      fixture.cache.lookUp(
        SourceKey(url: "https://a.example/v", variant: "image/png"), now: newYear)
        == nil)
  }

  @Test func `the beginning of an answer is found by its own key alone, until all of it comes`()
    throws
  {
    let fixture = try CacheFixture.make()
    let url = "https://a.example/x"
    let whole = try Self.record(url, seed: 1)
    var beginning = try Self.record(url, seed: 2)
    beginning.key = whole.key.beginning
    try fixture.cache.store(beginning, now: newYear)
    #expect(fixture.cache.lookUp(whole.key, now: newYear) == nil)
    #expect(fixture.cache.lookUp(whole.key.beginning, now: newYear) == beginning)
    try fixture.cache.store(whole, now: newYear)
    #expect(fixture.cache.lookUp(whole.key, now: newYear) == whole)
    #expect(fixture.cache.lookUp(whole.key.beginning, now: newYear) == nil)
    // A newer answer of which only the beginning is known replaces all of the older one.
    try fixture.cache.store(beginning, now: newYear)
    #expect(fixture.cache.lookUp(whole.key, now: newYear) == nil)
    #expect(try fixture.cache.purge(url: url).sources == 1)
    #expect(fixture.cache.lookUp(whole.key.beginning, now: newYear) == nil)
  }

  @Test func `a beginning may not be kept where its answer may not`() throws {
    let fixture = try CacheFixture.make()
    var secret = try Self.record(
      "https://a.example/x", fields: [("Cache-Control", "no-store")])
    let key = secret.key
    secret.key = key.beginning
    #expect(try fixture.cache.store(secret, now: newYear) == nil)
    #expect(fixture.cache.lookUp(key.beginning, now: newYear) == nil)
    #expect(fixture.cache.isUncacheable(key, now: newYear))
  }

  @Test func `no-store keeps nothing, drops what was kept, and is remembered for two minutes`()
    throws
  {
    let fixture = try CacheFixture.make()
    let kept = try Self.record("https://a.example/x")
    try fixture.cache.store(kept, now: newYear)
    let secret = try Self.record("https://a.example/x", fields: [("Cache-Control", "no-store")])
    #expect(try fixture.cache.store(secret, now: newYear) == nil)
    #expect(fixture.cache.lookUp(kept.key, now: newYear) == nil)
    #expect(fixture.cache.isUncacheable(kept.key, now: newYear + 119_999))
    #expect(!fixture.cache.isUncacheable(kept.key, now: newYear + 120_000))
    try fixture.cache.store(kept, now: newYear)
    #expect(!fixture.cache.isUncacheable(kept.key, now: newYear))
  }

  @Test func `a 304 prolongs the answer and keeps what it does not mention`() throws {
    let fixture = try CacheFixture.make()
    let record = try Self.record(
      "https://a.example/x",
      fields: [("Cache-Control", "max-age=60"), ("ETag", "\"1\""), ("Age", "50")])
    try fixture.cache.store(record, now: newYear)
    let later = newYear + 100_000
    #expect(record.state(at: newYear + 9_999) == .fresh)
    #expect(record.state(at: later) == .staleIfError)
    let refreshed = try fixture.cache.refresh(
      record, by: ResponseFields([.init("Cache-Control", "max-age=120")]), requestTime: later,
      responseTime: later, now: later)
    #expect(refreshed?.fields.entityTag == "\"1\"")
    let found = fixture.cache.lookUp(record.key, now: later)
    #expect(found?.state(at: later + 119_999) == .fresh)
    #expect(found?.state(at: later + 120_000) == .staleIfError)
    #expect(found?.original == record.original)
  }

  @Test func `renditions are found by content and key, marked with what they are`() throws {
    let fixture = try CacheFixture.make()
    let original = try #require(ContentHash.of("an original"))
    let object = try fixture.cache.publish(sampleBytes(5))
    let rendition = RenditionRecord(
      object: object.name, format: .jpeg, size: PixelSize(width: 1320, height: 960), frames: 1,
      bytes: object.bytes, details: [9])
    try fixture.cache.store(rendition, of: original, key: "1320x960 contain q82")
    #expect(
      fixture.cache.renditions(of: original, keys: ["1320x960 contain q82", "other"], now: newYear)
        == ["1320x960 contain q82": rendition])
    let another = try #require(ContentHash.of("another original"))
    #expect(
      fixture.cache.renditions(of: another, keys: ["1320x960 contain q82"], now: newYear).isEmpty)
  }

  @Test func `bytes that crashed a decoder are barred from that version of it alone`() throws {
    let fixture = try CacheFixture.make()
    let content = try #require(ContentHash.of("bomb"))
    try fixture.cache.poison(content, decoder: "image 1.0", reason: .crashed, now: newYear)
    #expect(try fixture.reopened().poisonReason(of: content, decoder: "image 1.0") == .crashed)
    #expect(fixture.cache.poisonReason(of: content, decoder: "image 1.1") == nil)
  }
}
