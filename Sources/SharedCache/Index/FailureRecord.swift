package import Media

/// Why an address gave no picture, as far as trying again goes.
package enum FailureKind: String, Sendable, Hashable, CaseIterable {
  /// 404, 410: ten minutes; never served stale.
  case gone
  /// Other refusals and answers that are no media: ten minutes.
  case rejected
  /// 5xx, DNS, connection, time-out: 30 s, doubling to an hour, jittered by a tenth.
  case transient

  /// Until the next try after `count` failures in a row, milliseconds, before jitter.
  func delay(count: Int) -> Int64 {
    switch self {
    case .gone, .rejected: 600_000
    case .transient: min(30_000 << Int64(min(max(count, 1), 8) - 1), 3_600_000)
    }
  }
}

/// A failure that is remembered, so that a dead address is not asked for by every job.
package struct FailureRecord: Sendable, Hashable {
  package var kind: FailureKind
  package var code: Problem.Code
  /// One line for a person.
  package var message: String
  /// Failures in a row.
  package var count: Int
  /// Milliseconds since 1970.
  package var failedAt: Int64
  /// Milliseconds since 1970.
  package var nextTry: Int64
  /// What came before the failure, kept as an original: the beginning of a picture.
  package var beginning: ContentHash?

  /// The longest wait that is believed: a Retry-After of a day.
  static let maxDelay: Int64 = 86_400_000
  /// A failure after so long without one counts as the first, milliseconds.
  static let memory: Int64 = 7_200_000

  /// Whether the address should be left alone at `now`. A clock that was set back does not prolong
  /// the wait.
  package func isInForce(at now: Int64) -> Bool {
    now < nextTry && nextTry - now <= Self.maxDelay && now >= failedAt - Freshness.clockTolerance
  }
}

extension FailureRecord {
  static let columns = "url, host, kind, code, message, count, failedAt, nextTry, beginning"

  func values(_ key: SourceKey) -> [SQLValue] {
    [
      .text(key.url), .text(key.host), .text(kind.rawValue), .text(code.rawValue), .text(message),
      SQLValue(count), .integer(failedAt), .integer(nextTry), SQLValue(beginning),
    ]
  }

  /// Reads `columns` and the checksum after them; nil when they do not agree.
  init?(_ row: [SQLValue]) {
    guard row.count >= 10, row[9].integer == Array(row[..<9]).checksum,
      let kind = row[2].text.flatMap(FailureKind.init(rawValue:)),
      let code = row[3].text.flatMap(Problem.Code.init(rawValue:)), let message = row[4].text,
      let count = row[5].int, let failedAt = row[6].integer, let nextTry = row[7].integer
    else { return nil }
    self.init(
      kind: kind, code: code, message: message, count: count, failedAt: failedAt,
      nextTry: nextTry, beginning: row[8].hash)
  }
}
