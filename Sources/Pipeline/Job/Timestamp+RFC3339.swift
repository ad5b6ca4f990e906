extension Timestamp {
  /// RFC 3339 in UTC with milliseconds: `2026-03-01T08:05:09.250Z`.
  package var rfc3339: String {
    let milliseconds = milliseconds
    let day = Self.floor(milliseconds, 86_400_000)
    let rest = milliseconds - day * 86_400_000
    let (year, month, dayOfMonth) = Self.date(ofDay: day)
    let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { Self.padded($0, 2) }
    return Self.padded(year, 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(dayOfMonth, 2)
      + "T" + time.joined(separator: ":") + "." + Self.padded(rest % 1000, 3) + "Z"
  }

  /// Reads RFC 3339 (§5.6): any offset, any number of decimals; nil for anything else. A leap
  /// second counts as the second after it; years beyond 1678…2261 become the nearest instant.
  package init?(rfc3339 text: String) {
    var scanner = Scanner(Array(text.utf8))
    guard let year = scanner.number(4), scanner.take("-"), let month = scanner.number(2),
      scanner.take("-"), let day = scanner.number(2), scanner.take("Tt "),
      let hour = scanner.number(2), scanner.take(":"), let minute = scanner.number(2),
      scanner.take(":"), let second = scanner.number(2), let fraction = scanner.fraction(),
      let offset = scanner.offsetMinutes(), scanner.isAtEnd,
      (1...12).contains(month), (1...Self.days(inMonth: month, year)).contains(day), hour < 24,
      minute < 60, second <= 60
    else { return nil }
    let minutes = Self.day(year, month, day) * 1440 + hour * 60 + minute - offset
    let (whole, overflow) = (minutes * 60 + second).multipliedReportingOverflow(by: 1_000_000_000)
    nanoseconds = overflow ? (minutes < 0 ? .min : .max) : whole.addingClamped(fraction)
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func floor(_ value: Int64, _ divisor: Int64) -> Int64 {
    (value - (value % divisor + divisor) % divisor) / divisor
  }

  private static func days(inMonth month: Int64, _ year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  // Both ways count years from March, so that the leap day is the last of its year, in eras of
  // 400 years (146,097 days); day 719,468 of that count is 1970-01-01.
  private static func day(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = floor(year, 400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let day = day + 719_468
    let era = floor(day, 146_097)
    let dayOfEra = day - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1
    )
  }
}

extension Int64 {
  fileprivate func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}

/// The pieces that RFC 3339 is made of.
private struct Scanner {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { position == bytes.count }

  mutating func take(_ choices: String) -> Bool {
    guard position < bytes.count, choices.utf8.contains(bytes[position]) else { return false }
    position += 1
    return true
  }

  private mutating func digit() -> Int64? {
    guard position < bytes.count, (0x30...0x39).contains(bytes[position]) else { return nil }
    defer { position += 1 }
    return Int64(bytes[position] - 0x30)
  }

  mutating func number(_ width: Int) -> Int64? {
    var value: Int64 = 0
    for _ in 0..<width {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// Nanoseconds after the full second; digits beyond are passed over.
  mutating func fraction() -> Int64? {
    guard take(".") else { return 0 }
    guard var value = digit() else { return nil }
    var count = 1
    while let digit = digit() {
      if count < 9 { value = value * 10 + digit }
      count = min(count + 1, 9)
    }
    for _ in count..<9 { value *= 10 }
    return value
  }

  mutating func offsetMinutes() -> Int64? {
    if take("Zz") { return 0 }
    let isNegative = position < bytes.count && bytes[position] == UInt8(ascii: "-")
    guard take("+-"), let hours = number(2), take(":"), let minutes = number(2), hours < 24,
      minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (isNegative ? -1 : 1)
  }
}
