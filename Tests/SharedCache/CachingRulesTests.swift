import Media
import SharedCache
import Testing

/// What one rule of HTTP caching says of one response, received at `newYear` (Thu, 01 Jan 2026
/// 00:00:00 GMT), a second after its request: the states that RFC 9111 and RFC 5861 give it so many
/// seconds later, reckoned by hand.
struct CachingRule: Sendable, CustomTestStringConvertible {
  var section: String
  var rule: String
  var fields: [String]
  /// By seconds after the response; nil where nothing may be stored.
  var states: [Int64: Freshness.State]?
  /// Statuses and fields of the redirects on the way.
  var redirects: [(Int, [String])] = []

  init(
    _ section: String, _ rule: String, _ fields: [String], _ states: [Int64: Freshness.State]?,
    redirects: [(Int, [String])] = []
  ) {
    self.section = section
    self.rule = rule
    self.fields = fields
    self.states = states
    self.redirects = redirects
  }

  var testDescription: String { "\(section): \(rule)" }

  static func parsed(_ lines: [String]) -> ResponseFields {
    ResponseFields(
      lines.map { line in
        let sides = line.split(separator: ":", maxSplits: 1)
        return .init(String(sides[0]), String(sides[1]))
      })
  }

  var freshness: Freshness {
    let way = redirects.map {
      ResponseFields.Redirect(status: $0.0, fields: Self.parsed($0.1))
    }
    return Freshness(
      Self.parsed(fields).reached(by: way, requestTime: newYear - 1000, responseTime: newYear),
      requestTime: newYear - 1000, responseTime: newYear)
  }
}

extension CachingRule {
  private static let day: Int64 = 86_400
  private static let date = "Date: Thu, 01 Jan 2026 00:00:00 GMT"
  private static let modified = "Last-Modified: Wed, 31 Dec 2025 14:00:00 GMT"
  private static let long = String(repeating: "x", count: 2000)

  static let storing: [CachingRule] = [
    .init("RFC 9111 §3", "no-store is not stored", ["Cache-Control: no-store"], nil),
    .init("§3", "in any spelling", ["CACHE-control:  ,max-age=9 ,No-Store "], nil),
    .init("§5.2.2.5", "an argument changes nothing", ["Cache-Control: no-store=\"x\""], nil),
    .init(
      "§5.2.2.5", "nor a second field", ["Cache-Control: max-age=60", "Cache-Control: no-store"],
      nil),
    .init("§5.2", "an open quotation hides nothing", ["Cache-Control: ext=\"a, no-store"], nil),
    .init(
      "§5.2", "a quoted word is no directive", ["Cache-Control: ext=\"a, no-store\", max-age=60"],
      [58: .fresh]),
    .init(
      "§5.2", "a field too long to keep is taken as no-store",
      ["Cache-Control: max-age=60, x=\(long)"], nil),
    .init(
      "§5.2.2.3", "must-understand goes before no-store, for a status that is understood",
      ["Cache-Control: must-understand, no-store, max-age=60"], [58: .fresh, 59: .staleIfError]),
    .init(
      "§5.2.2.7", "a private cache stores what is private", ["Cache-Control: private, max-age=60"],
      [58: .fresh]),
    .init(
      "§5.2.2.7", "with a list of fields too",
      ["Cache-Control: private=\"set-cookie\", max-age=60"], [58: .fresh]),
    .init(
      "§3.5", "what an Authorization brought needs no permission in a private cache",
      ["Cache-Control: max-age=60"], [58: .fresh]),
    .init(
      "§5.2.3", "unknown directives are ignored", ["Cache-Control: immutable, foo=bar, max-age=60"],
      [58: .fresh, 59: .staleIfError]),
    .init(
      "§5.4", "Pragma in a response says nothing",
      ["Pragma: no-cache", "Cache-Control: max-age=60"], [58: .fresh]),
  ]

  static let lifetimes: [CachingRule] = [
    .init(
      "§4.2", "a response is fresh while its age is below its lifetime",
      ["Cache-Control: max-age=60"], [0: .fresh, 58: .fresh, 59: .staleIfError]),
    .init(
      "§4.2.1", "s-maxage is for shared caches", ["Cache-Control: s-maxage=600, max-age=60"],
      [58: .fresh, 59: .staleIfError]),
    .init(
      "§4.2.1", "max-age before Expires",
      ["Cache-Control: max-age=60", date, "Expires: Fri, 02 Jan 2026 00:00:00 GMT"],
      [58: .fresh, 59: .staleIfError]),
    .init(
      "§4.2.1", "of two max-age the first", ["Cache-Control: max-age=60, max-age=600"],
      [58: .fresh, 59: .staleIfError]),
    .init(
      "§4.2.1", "an unreadable max-age is stale, though another follows",
      ["Cache-Control: max-age=soon, max-age=600"], [0: .staleIfError]),
    .init(
      "§4.2.1", "and though there is an Expires",
      ["Cache-Control: max-age=-1", date, "Expires: Fri, 02 Jan 2026 00:00:00 GMT"],
      [0: .staleIfError]),
    .init(
      "§5.2.2.1", "max-age without a number is stale", ["Cache-Control: max-age", modified],
      [0: .staleIfError]),
    .init(
      "§5.2.2.1", "a number in quotes is read", ["Cache-Control: max-age=\"60\""],
      [58: .fresh, 59: .staleIfError]),
    .init(
      "§1.2.2", "2^31 seconds are as good as more", ["Cache-Control: max-age=2147483648"],
      [2_147_483_646: .fresh, 2_147_483_647: .staleIfError]),
    .init(
      "§1.2.2", "more than fits are 2^31",
      ["Cache-Control: max-age=\(String(repeating: "9", count: 40))"],
      [2_147_483_646: .fresh, 2_147_483_647: .staleIfError]),
    .init(
      "§5.3", "Expires counts from Date",
      ["Date: Wed, 31 Dec 2025 23:00:00 GMT", "Expires: Thu, 01 Jan 2026 01:00:00 GMT"],
      [3_599: .fresh, 3_600: .staleIfError]),
    .init(
      "§5.3", "an Expires that is no date is past", ["Expires: 0", date, modified],
      [0: .staleIfError]),
    .init(
      "§5.3", "nor is one a number of seconds", ["Expires: 3600", date, modified],
      [0: .staleIfError]),
    .init(
      "§5.3", "one in another zone is no HTTP-date",
      ["Expires: Thu, 01 Jan 2026 01:00:00 +0100", date], [0: .staleIfError]),
    .init(
      "§4.2.1", "two Expires are stale",
      ["Expires: Fri, 02 Jan 2026 00:00:00 GMT, Fri, 02 Jan 2026 00:00:00 GMT", date],
      [0: .staleIfError]),
    .init(
      "§5.3", "one too long to keep is past", ["Expires: \(long)", date, modified],
      [0: .staleIfError]),
    .init(
      "§4.2.2", "without explicit time a tenth of the time unchanged", [date, modified],
      [3_598: .fresh, 3_599: .staleIfError]),
    .init(
      "§4.2.2", "a day at most", [date, "Last-Modified: Thu, 01 Jan 2015 00:00:00 GMT"],
      [day - 2: .fresh, day - 1: .staleIfError]),
    .init(
      "§4.2.2", "no guess where a time is explicit", ["Cache-Control: max-age=0", date, modified],
      [0: .staleIfError]),
    .init("§4.2.2", "no guess without Last-Modified", [date, "ETag: \"1\""], [0: .staleIfError]),
    .init(
      "§4.2.2", "no guess from a time that lies ahead",
      [date, "Last-Modified: Fri, 02 Jan 2026 00:00:00 GMT"], [0: .staleIfError]),
  ]

  static let ages: [CachingRule] = [
    .init(
      "§4.2.3", "Age and the delay of the response add up",
      ["Cache-Control: max-age=60", "Age: 20"], [38: .fresh, 39: .staleIfError]),
    .init(
      "§4.2.3", "Date shows a larger age",
      ["Cache-Control: max-age=60", "Age: 20", "Date: Wed, 31 Dec 2025 23:59:30 GMT"],
      [29: .fresh, 30: .staleIfError]),
    .init(
      "§4.2.3", "a Date that lies ahead makes nothing younger",
      ["Cache-Control: max-age=60", "Date: Thu, 01 Jan 2026 09:00:00 GMT"],
      [58: .fresh, 59: .staleIfError]),
    .init(
      "§4.2.3", "an origin whose clock is slow is measured by its own",
      ["Date: Wed, 31 Dec 2025 00:00:00 GMT", "Expires: Thu, 01 Jan 2026 00:01:00 GMT"],
      [59: .fresh, 60: .staleIfError]),
    .init(
      "§5.1", "of a list of ages the first", ["Cache-Control: max-age=60", "Age: 20, 50"],
      [38: .fresh, 39: .staleIfError]),
    .init(
      "§5.1", "an Age that is no number is ignored", ["Cache-Control: max-age=60", "Age: -20"],
      [58: .fresh]),
    .init(
      "§1.2.2", "an Age too large is large",
      ["Cache-Control: max-age=60", "Age: 99999999999999999999"], [0: .expired]),
  ]

  static let staleness: [CachingRule] = [
    .init(
      "§4.2.4", "must-revalidate forbids stale", ["Cache-Control: max-age=60, must-revalidate"],
      [58: .fresh, 59: .mustRevalidate, 9 * day: .mustRevalidate]),
    .init(
      "§5.2.2.4", "no-cache forbids use without asking", ["Cache-Control: no-cache, max-age=60"],
      [0: .mustRevalidate]),
    .init(
      "§5.2.2.4", "with a list of fields too",
      ["Cache-Control: no-cache=\"set-cookie, etag\", max-age=60"], [0: .mustRevalidate]),
    .init(
      "§5.2.2.8", "proxy-revalidate is for shared caches",
      ["Cache-Control: max-age=60, proxy-revalidate"], [59: .staleIfError]),
    .init(
      "§4.1", "Vary: * matches no later request", ["Cache-Control: max-age=60", "Vary: Origin, *"],
      [0: .mustRevalidate]),
    .init(
      "§4.1", "a Vary too long to keep is one", ["Cache-Control: max-age=60", "Vary: \(long)"],
      [0: .mustRevalidate]),
    .init(
      "§4.1", "what we always send alike varies nothing",
      ["Cache-Control: max-age=60", "Vary: Accept-Encoding, Origin"], [58: .fresh]),
    .init(
      "RFC 5861 §3", "stale-while-revalidate begins where freshness ends",
      ["Cache-Control: max-age=60, stale-while-revalidate=30"],
      [58: .fresh, 59: .staleWhileRevalidate, 88: .staleWhileRevalidate, 89: .staleIfError]),
    .init(
      "RFC 5861 §3", "not where stale is forbidden",
      ["Cache-Control: max-age=60, stale-while-revalidate=30, must-revalidate"],
      [59: .mustRevalidate]),
    .init(
      "RFC 5861 §3", "nor for no-cache", ["Cache-Control: no-cache, stale-while-revalidate=30"],
      [0: .mustRevalidate]),
    .init(
      "RFC 5861 §3", "an unreadable window is none",
      ["Cache-Control: max-age=60, stale-while-revalidate=x"], [59: .staleIfError]),
    .init(
      "RFC 5861 §4", "stale-if-error counts from where freshness ends",
      ["Cache-Control: max-age=60, stale-if-error=30"], [88: .staleIfError, 89: .expired]),
    .init(
      "RFC 5861 §4", "none at all where it is 0", ["Cache-Control: max-age=60, stale-if-error=0"],
      [59: .expired]),
    .init(
      "RFC 5861 §4", "must-revalidate is stronger",
      ["Cache-Control: max-age=60, stale-if-error=900, must-revalidate"], [59: .mustRevalidate]),
    .init(
      "RFC 5861 §4", "a week where nothing is said", ["Cache-Control: max-age=60"],
      [7 * day + 58: .staleIfError, 7 * day + 59: .expired]),
  ]

  static let ways: [CachingRule] = [
    .init(
      "RFC 9110 §15.4.3", "a passing redirect without a word is asked for again",
      ["Cache-Control: max-age=60"], [0: .staleIfError], redirects: [(302, [])]),
    .init(
      "RFC 9110 §15.4.8", "so is 307, though it was modified long ago",
      ["Cache-Control: max-age=60"], [0: .staleIfError], redirects: [(307, [date, modified])]),
    .init(
      "RFC 9110 §15.4.3", "it holds as long as it says", ["Cache-Control: max-age=60"],
      [28: .fresh, 29: .staleIfError], redirects: [(302, ["Cache-Control: max-age=30"])]),
    .init(
      "RFC 9110 §15.4.3", "and no longer than its target", ["Cache-Control: max-age=60"],
      [58: .fresh, 59: .staleIfError], redirects: [(302, ["Cache-Control: max-age=600"])]),
    .init(
      "RFC 9110 §15.4.2", "a permanent one holds without a word", ["Cache-Control: max-age=60"],
      [58: .fresh, 59: .staleIfError], redirects: [(301, []), (308, [])]),
    .init(
      "RFC 9110 §15.4.2", "but not against its word", ["Cache-Control: max-age=60"],
      [0: .staleIfError], redirects: [(301, ["Cache-Control: no-cache"])]),
    .init(
      "RFC 9111 §3", "the shortest of several counts", ["Cache-Control: max-age=60"],
      [8: .fresh, 9: .staleIfError],
      redirects: [(301, ["Cache-Control: max-age=30"]), (302, ["Cache-Control: max-age=10"])]),
    .init(
      "RFC 9111 §3", "what may not be stored leads nowhere", ["Cache-Control: max-age=60"], nil,
      redirects: [(302, ["Cache-Control: no-store"])]),
    .init(
      "RFC 9111 §4.2.3", "its Age counts", ["Cache-Control: max-age=60"],
      [8: .fresh, 9: .staleIfError], redirects: [(301, ["Cache-Control: max-age=30", "Age: 20"])]),
  ]
}

/// A stored answer, a 304, and whether it is of that answer.
struct Freshening: Sendable, CustomTestStringConvertible {
  var rule: String
  var stored: [String]
  var answer: [String]
  var isConfirmed: Bool

  var testDescription: String { "§4.3.4: \(rule)" }

  init(_ rule: String, _ stored: [String], _ answer: [String], _ isConfirmed: Bool) {
    self.rule = rule
    self.stored = stored
    self.answer = answer
    self.isConfirmed = isConfirmed
  }

  private static let monday = "Last-Modified: Mon, 01 Dec 2025 00:00:00 GMT"
  private static let tuesday = "Last-Modified: Tue, 02 Dec 2025 00:00:00 GMT"

  static let all: [Freshening] = [
    .init("the same strong tag", ["ETag: \"1\""], ["ETag: \"1\""], true),
    .init("another strong tag", ["ETag: \"1\""], ["ETag: \"2\""], false),
    .init("a strong tag is not its weak form", ["ETag: W/\"1\""], ["ETag: \"1\""], false),
    .init("the same weak tag", ["ETag: W/\"1\""], ["ETag: W/\"1\""], true),
    .init("a weak tag compares weakly", ["ETag: \"1\""], ["ETag: W/\"1\""], true),
    .init("another weak tag", ["ETag: W/\"1\""], ["ETag: W/\"2\""], false),
    .init(
      "the tag decides before the date", ["ETag: \"1\"", monday], ["ETag: \"1\"", tuesday], true),
    .init("a tag where none was stored", [monday], ["ETag: \"1\"", monday], false),
    .init("the same date", [monday], [monday], true),
    .init("another date", [monday], [tuesday], false),
    .init("no validator", ["ETag: \"1\"", monday], ["Cache-Control: max-age=5"], true),
    .init("a date where a tag was asked with", ["ETag: \"1\"", monday], [monday], true),
    .init("an unquoted tag as it came", ["ETag: abc"], ["ETag: abc"], true),
  ]
}

@Suite("The rules of HTTP caching", .timeLimit(.minutes(15)))
struct CachingRulesTests {
  @Test(
    "A private cache obeys",
    arguments: CachingRule.storing + CachingRule.lifetimes + CachingRule.ages
      + CachingRule.staleness + CachingRule.ways)
  func rule(_ rule: CachingRule) {
    let freshness = rule.freshness
    #expect(freshness.isStorable == (rule.states != nil))
    for (second, state) in rule.states ?? [:] {
      #expect(freshness.state(at: newYear + second * 1000) == state, "after \(second) s")
    }
  }

  @Test("A 304 freshens the answer it speaks of alone", arguments: Freshening.all)
  func freshening(_ freshening: Freshening) {
    let stored = CachingRule.parsed(freshening.stored)
    #expect(stored.isConfirmed(by: CachingRule.parsed(freshening.answer)) == freshening.isConfirmed)
  }

  @Test func `§3.2: fields of a 304 take the place of stored ones, the others stay`() {
    let stored = CachingRule.parsed([
      "Cache-Control: max-age=60", "Cache-Control: no-cache", "ETag: \"1\"", "Age: 50",
      "Date: Thu, 01 Jan 2026 00:00:00 GMT", "Vary: Accept",
    ]).reached(
      by: [.init(status: 302, fields: CachingRule.parsed([]))], requestTime: newYear,
      responseTime: newYear)
    let updated = stored.updated(by: CachingRule.parsed(["Cache-Control: max-age=90"]))
    #expect(
      updated.serialized.split(separator: "\n").sorted() == [
        "cache-control:max-age=90", "etag:\"1\"", "vary:Accept",
      ])
  }

  @Test func `§4.3.1: of several tags none is asked with`() {
    let joined = CachingRule.parsed(["ETag: \"1\", \"2\"", "Last-Modified: x"])
    #expect(joined.entityTag == nil && joined.lastModified == "x")
    #expect(CachingRule.parsed(["ETag: \"1\"", "ETag: \"2\""]).entityTag == nil)
    #expect(CachingRule.parsed(["ETag: \"1,2\""]).entityTag == "\"1,2\"")
  }

  @Test func `§4.1: an answer that varies on Accept counts for the same Accept`() throws {
    let fixture = try CacheFixture.make()
    for (fields, finds) in [
      (["Vary: Accept"], false), (["Vary: accept-encoding , ACCEPT"], false),
      (["Vary: Accept-Language"], true), ([], true),
    ] {
      let url = "https://a.example/\(fields)"
      let record = try SourceTests.record(url, variant: "image/webp")
      var varying = record
      varying.fields = CachingRule.parsed(fields + ["Cache-Control: max-age=60"])
      try fixture.cache.store(varying, now: newYear)
      #expect(fixture.cache.lookUp(record.key, now: newYear) != nil)
      let other = SourceKey(url: url, variant: "image/png")
      #expect((fixture.cache.lookUp(other, now: newYear) != nil) == finds, "\(fields)")
    }
  }
}
