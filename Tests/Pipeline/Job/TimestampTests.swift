import Pipeline
import Testing

@Suite
struct TimestampTests {
  // Seconds by `date -u -d … +%s`.
  @Test(
    "Times are written and read as RFC 3339",
    arguments: [
      ("1970-01-01T00:00:00.000Z", 0), ("2026-03-01T08:05:09.250Z", 1_772_352_309_250),
      ("2000-02-29T23:59:59.999Z", 951_868_799_999), ("1969-12-31T23:59:59.500Z", -500),
      ("2100-03-01T00:00:00.000Z", 4_107_542_400_000),
      ("1900-01-01T00:00:00.000Z", -2_208_988_800_000),
    ] as [(String, Int64)])
  func roundTrip(text: String, milliseconds: Int64) throws {
    #expect(try #require(Timestamp(rfc3339: text)).milliseconds == milliseconds)
    #expect(Timestamp(milliseconds: milliseconds).rfc3339 == text)
  }

  @Test(
    "Offsets and decimals are understood",
    arguments: [
      ("2026-03-01T10:00:00+01:30", "2026-03-01T08:30:00.000Z"),
      ("2026-03-01t10:00:00.123456789123z", "2026-03-01T10:00:00.123Z"),
      ("2026-03-01 10:00:00.5-00:15", "2026-03-01T10:15:00.500Z"),
      ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"),
      ("9999-12-31T23:59:59Z", "2262-04-11T23:47:16.854Z"),
    ])
  func variants(text: String, expected: String) throws {
    #expect(try #require(Timestamp(rfc3339: text)).rfc3339 == expected)
  }

  @Test(
    "What is no time is none",
    arguments: [
      "", "2026-03-01", "2026-03-01T10:00:00", "2026-02-30T10:00:00Z", "2026-13-01T10:00:00Z",
      "2026-03-01T24:00:00Z", "2026-03-01T10:00:00.Z", "2026-03-01T10:00:00+0100",
      "2026-03-01T10:00:00Zx", "1772352309", "2023-02-29T00:00:00Z",
    ])
  func refusals(text: String) {
    #expect(Timestamp(rfc3339: text) == nil)
  }
}
