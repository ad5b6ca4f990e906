/// Dates as HTTP writes them (RFC 9110 §5.6.7): IMF-fixdate, RFC 850 and asctime forms.
package enum HTTPDate {
  /// Milliseconds since 1970; nil for what is no date. `now` decides the century of a two-digit
  /// year: what would lie more than 50 years ahead is past.
  package static func parse(_ text: String, now: Int64) -> Int64? {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "-" })
    guard let weekday = words.first, weekdays.contains(weekday.prefix(3)) else { return nil }
    switch words.count {
    // Sun, 06 Nov 1994 08:49:37 GMT; Sunday, 06-Nov-94 08:49:37 GMT
    case 6 where words[5] == "GMT" || words[5] == "UTC":
      return date(words[1], words[2], words[3], words[4], now: now)
    // Sun Nov  6 08:49:37 1994
    case 5: return date(words[2], words[1], words[4], words[3], now: now)
    default: return nil
    }
  }

  private static let weekdays: Set<Substring> = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months: [Substring] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func date(
    _ day: Substring, _ month: Substring, _ year: Substring, _ time: Substring, now: Int64
  ) -> Int64? {
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).map(number)
    guard let month = months.firstIndex(of: month), let day = number(day), (1...31).contains(day),
      let year = fullYear(year, now: now), clock.count == 3, let hour = clock[0], hour < 24,
      let minute = clock[1], minute < 60, let second = clock[2], second <= 60
    else { return nil }
    let days = daysSince1970(year: year, month: month + 1, day: day)
    return ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000
  }

  private static func fullYear(_ digits: Substring, now: Int64) -> Int64? {
    guard let value = number(digits) else { return nil }
    guard digits.utf8.count == 2 else { return digits.utf8.count == 4 ? value : nil }
    let thisYear = 1970 + now / 31_556_952_000
    let year = thisYear - thisYear % 100 + value
    return year > thisYear + 50 ? year - 100 : year
  }

  /// One to four digits.
  private static func number(_ digits: Substring) -> Int64? {
    guard (1...4).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int64(digits)
  }

  /// Proleptic Gregorian calendar, counted in years that begin in March.
  private static func daysSince1970(year: Int64, month: Int, day: Int64) -> Int64 {
    let marchYear = month > 2 ? year : year - 1
    let era = marchYear / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
