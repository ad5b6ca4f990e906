internal import Glibc

/// How long a server asks to be left alone (RFC 9110 §10.2.3).
enum RetryAfter {
  /// From seconds or a date; nil for anything else. Never negative, at most a day.
  static func duration(_ value: String?, now: Int = time(nil)) -> Duration? {
    guard let value else { return nil }
    let seconds = Int(value) ?? HTTPDate.seconds(value).map { $0 - now }
    return seconds.map { .seconds(min(max($0, 0), 86_400)) }
  }
}
