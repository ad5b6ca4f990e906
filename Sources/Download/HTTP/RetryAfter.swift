internal import Glibc
internal import Media

/// How long a server asks to be left alone (RFC 9110 §10.2.3).
enum RetryAfter {
  /// From seconds or a date; nil for anything else. Never negative, at most a day.
  static func duration(_ value: String?, now: Int = time(nil)) -> Duration? {
    guard let value else { return nil }
    let seconds =
      Int(value) ?? HTTPDate.parse(value, now: Int64(now) * 1000).map { Int($0 / 1000) - now }
    return seconds.map { .seconds(min(max($0, 0), 86_400)) }
  }
}
