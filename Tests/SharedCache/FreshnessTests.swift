import SharedCache
import Testing

/// Responses and what RFC 9111 makes of them, reckoned by hand. The response comes at `newYear`,
/// Thu, 01 Jan 2026 00:00:00 GMT, one second after the request unless said otherwise.
struct FreshnessVector: Sendable, CustomTestStringConvertible {
  var name: String
  var fields: [(String, String)]
  /// Seconds.
  var lifetime: Int64
  /// Seconds.
  var age: Int64 = 1
  var isStorable = true
  var alwaysRevalidates = false
  var forbidsStale = false

  var testDescription: String { name }

  var freshness: Freshness {
    Freshness(
      ResponseFields(fields.map { .init($0.0, $0.1) }), requestTime: newYear - 1000,
      responseTime: newYear)
  }

  static let date = ("Date", "Thu, 01 Jan 2026 00:00:00 GMT")
  static let week: Int64 = 7 * 86_400

  static let all: [FreshnessVector] = [
    .init(name: "nothing said", fields: [], lifetime: 0),
    .init(name: "max-age", fields: [("Cache-Control", "max-age=60")], lifetime: 60),
    .init(
      name: "names in any case", fields: [("CACHE-CONTROL", "Public, MAX-AGE=60")], lifetime: 60),
    .init(name: "max-age quoted", fields: [("Cache-Control", "max-age=\"60\"")], lifetime: 60),
    .init(
      name: "s-maxage is for shared caches", fields: [("Cache-Control", "s-maxage=9, max-age=60")],
      lifetime: 60),
    .init(
      name: "s-maxage alone says nothing", fields: [("Cache-Control", "s-maxage=60")], lifetime: 0),
    .init(
      name: "private is no hindrance", fields: [("Cache-Control", "private, max-age=60")],
      lifetime: 60),
    .init(
      name: "the first of two max-age", fields: [("Cache-Control", "max-age=60, max-age=90")],
      lifetime: 60),
    .init(
      name: "two fields are one list",
      fields: [("Cache-Control", "public"), ("Cache-Control", "max-age=60")], lifetime: 60),
    .init(
      name: "a directive inside quotes is none",
      fields: [("Cache-Control", "ext=\"a, no-store\", max-age=60")], lifetime: 60),
    .init(
      name: "an unreadable max-age is stale", fields: [("Cache-Control", "max-age=1h")], lifetime: 0
    ),
    .init(
      name: "a negative max-age is stale", fields: [("Cache-Control", "max-age=-5")], lifetime: 0),
    .init(
      name: "more than 2^31 seconds are 2^31",
      fields: [("Cache-Control", "max-age=99999999999999999999999")], lifetime: 2_147_483_648),
    .init(
      name: "max-age before Expires",
      fields: [
        ("Cache-Control", "max-age=60"), date, ("Expires", "Thu, 01 Jan 2026 01:00:00 GMT"),
      ], lifetime: 60),
    .init(
      name: "Expires minus Date",
      fields: [date, ("Expires", "Thu, 01 Jan 2026 01:00:00 GMT")], lifetime: 3600),
    .init(
      name: "Expires is measured by the origin's clock",
      fields: [
        ("Date", "Wed, 31 Dec 2025 23:50:00 GMT"), ("Expires", "Thu, 01 Jan 2026 00:00:00 GMT"),
      ], lifetime: 600, age: 600),
    .init(
      name: "Expires without Date counts from the response",
      fields: [("Expires", "Thu, 01 Jan 2026 00:10:00 GMT")], lifetime: 600),
    .init(
      name: "Expires in RFC 850 form",
      fields: [date, ("Expires", "Thursday, 01-Jan-26 00:10:00 GMT")], lifetime: 600),
    .init(
      name: "Expires in asctime form", fields: [date, ("Expires", "Thu Jan  1 00:10:00 2026")],
      lifetime: 600),
    .init(name: "Expires 0 is expired", fields: [date, ("Expires", "0")], lifetime: 0),
    .init(
      name: "a past Expires is expired",
      fields: [date, ("Expires", "Wed, 31 Dec 2025 00:00:00 GMT")], lifetime: 0),
    .init(
      name: "Expires 0 forbids guessing",
      fields: [date, ("Expires", "0"), ("Last-Modified", "Mon, 01 Dec 2025 00:00:00 GMT")],
      lifetime: 0),
    .init(
      name: "a tenth of the time since Last-Modified",
      fields: [date, ("Last-Modified", "Wed, 31 Dec 2025 14:00:00 GMT")], lifetime: 3600),
    .init(
      name: "a guess is a day at most",
      fields: [date, ("Last-Modified", "Wed, 01 Jan 2020 00:00:00 GMT")], lifetime: 86_400),
    .init(
      name: "Last-Modified in the future gives nothing",
      fields: [date, ("Last-Modified", "Fri, 02 Jan 2026 00:00:00 GMT")], lifetime: 0),
    .init(
      name: "Age adds to the delay", fields: [("Cache-Control", "max-age=60"), ("Age", "20")],
      lifetime: 60, age: 21),
    .init(
      name: "the larger of Age and what Date shows",
      fields: [
        ("Cache-Control", "max-age=600"), ("Age", "20"), ("Date", "Wed, 31 Dec 2025 23:59:00 GMT"),
      ], lifetime: 600, age: 60),
    .init(
      name: "an origin ahead of us is not of negative age",
      fields: [("Cache-Control", "max-age=60"), ("Date", "Thu, 01 Jan 2026 00:05:00 GMT")],
      lifetime: 60, age: 1),
    .init(
      name: "an unreadable Age is ignored",
      fields: [("Cache-Control", "max-age=60"), ("Age", "x")],
      lifetime: 60),
    .init(
      name: "no-store", fields: [("Cache-Control", "no-store, max-age=60")], lifetime: 60,
      isStorable: false),
    .init(
      name: "no-cache is stronger than max-age",
      fields: [("Cache-Control", "max-age=60, no-cache")],
      lifetime: 60, alwaysRevalidates: true, forbidsStale: true),
    .init(
      name: "no-cache for a field counts for all",
      fields: [("Cache-Control", "max-age=60, no-cache=\"set-cookie\"")], lifetime: 60,
      alwaysRevalidates: true, forbidsStale: true),
    .init(
      name: "must-revalidate", fields: [("Cache-Control", "max-age=60, must-revalidate")],
      lifetime: 60, forbidsStale: true),
    .init(
      name: "proxy-revalidate is for shared caches",
      fields: [("Cache-Control", "max-age=60, proxy-revalidate")], lifetime: 60),
    .init(
      name: "Vary: *", fields: [("Cache-Control", "max-age=60"), ("Vary", "Accept, *")],
      lifetime: 60, alwaysRevalidates: true, forbidsStale: true),
  ]
}

@Suite("Freshness (RFC 9111, RFC 5861)", .timeLimit(.minutes(15)))
struct FreshnessTests {
  @Test("Lifetime, age and duties", arguments: FreshnessVector.all)
  func vector(_ vector: FreshnessVector) {
    let freshness = vector.freshness
    #expect(freshness.lifetime == vector.lifetime * 1000)
    #expect(freshness.initialAge == vector.age * 1000)
    #expect(freshness.isStorable == vector.isStorable)
    #expect(freshness.alwaysRevalidates == vector.alwaysRevalidates)
    #expect(freshness.forbidsStale == vector.forbidsStale)
  }

  @Test func `what is fresh turns stale, then too old, at the millisecond`() {
    let freshness = Self.freshness("max-age=60, stale-while-revalidate=10, stale-if-error=100")
    #expect(freshness.state(at: newYear + 59_999) == .fresh)
    #expect(freshness.state(at: newYear + 60_000) == .staleWhileRevalidate)
    #expect(freshness.state(at: newYear + 69_999) == .staleWhileRevalidate)
    #expect(freshness.state(at: newYear + 70_000) == .staleIfError)
    #expect(freshness.state(at: newYear + 159_999) == .staleIfError)
    #expect(freshness.state(at: newYear + 160_000) == .expired)
    #expect(freshness.expires == newYear + 60_000)
  }

  @Test func `without a word on errors a stale copy may stand in for a week`() {
    let freshness = Self.freshness("max-age=60")
    let end = newYear + 60_000 + FreshnessVector.week * 1000
    #expect(freshness.state(at: end - 1) == .staleIfError)
    #expect(freshness.state(at: end) == .expired)
  }

  @Test(arguments: [
    "max-age=60, must-revalidate, stale-if-error=900", "no-cache, stale-if-error=900",
  ])
  func `a response that forbids it is never used stale`(control: String) {
    let freshness = Self.freshness(control)
    #expect(freshness.state(at: newYear + 60_000) == .mustRevalidate)
    #expect(freshness.state(at: newYear + 100_000_000_000) == .mustRevalidate)
  }

  @Test func `no-cache is never fresh`() {
    #expect(Self.freshness("no-cache, max-age=60").state(at: newYear) == .mustRevalidate)
  }

  @Test func `a clock that was set back makes nothing fresh`() {
    let freshness = Self.freshness("max-age=60")
    #expect(freshness.state(at: newYear - 60_000) == .fresh)
    #expect(freshness.state(at: newYear - 60_001) == .staleIfError)
  }

  private static func freshness(_ control: String) -> Freshness {
    Freshness(
      ResponseFields([.init("Cache-Control", control)]), requestTime: newYear,
      responseTime: newYear)
  }
}
