internal import Media

/// How long a response may be used, as a private cache reckons (RFC 9111 §4.2, RFC 5861). Times and
/// spans are milliseconds.
package struct Freshness: Sendable, Hashable {
  /// What a stored response may be used for at some instant.
  package enum State: Sendable, Hashable {
    /// Used without asking.
    case fresh
    /// Used at once, and revalidated meanwhile.
    case staleWhileRevalidate
    /// To be revalidated; used when the origin fails.
    case staleIfError
    /// To be revalidated, and never used without (no-cache, must-revalidate, Vary: *).
    case mustRevalidate
    /// To be revalidated; too old to stand in for a failing origin.
    case expired
  }

  /// Stale-if-error where the response names no window.
  package static let defaultStaleIfError: Int64 = 7 * 86_400_000
  /// 2^31 seconds (§1.2.2).
  static let longestLifetime: Int64 = (1 << 31) * 1000
  static let maxHeuristicLifetime: Int64 = 86_400_000
  /// A clock that was set back by more than this makes stored times worthless.
  static let clockTolerance: Int64 = 60_000

  /// False for no-store: nothing is kept beyond the job.
  package var isStorable: Bool
  /// freshness_lifetime (§4.2.1).
  package var lifetime: Int64
  /// corrected_initial_age (§4.2.3).
  package var initialAge: Int64
  /// response_time (§4.2.3), milliseconds since 1970.
  package var responseTime: Int64
  /// Revalidated before each use.
  package var alwaysRevalidates: Bool
  /// Never used stale.
  package var forbidsStale: Bool
  /// After the lifetime.
  package var staleIfErrorWindow: Int64
  /// After the lifetime.
  package var staleWhileRevalidateWindow: Int64
}

extension Freshness {
  /// Reckons from the header fields of a 200 or an updated 304.
  package init(_ fields: ResponseFields, requestTime: Int64, responseTime: Int64) {
    let control = CacheControl(fields.all("cache-control"))
    let date = fields.first("date").flatMap { HTTPDate.parse($0, now: responseTime) }
    let variesOnAll = fields.varies.contains("*")
    let age = Self.initialAge(
      fields, date: date, requestTime: requestTime, responseTime: responseTime)
    let lifetime = Self.lifetime(control, fields, date: date ?? responseTime, now: responseTime)
    let way = fields.redirects
    self.init(
      isStorable: (!control.noStore || control.mustUnderstand) && way?.isStorable != false,
      lifetime: way.map { min(lifetime, age.addingClamped($0.lifetime)) } ?? lifetime,
      initialAge: age,
      responseTime: responseTime,
      alwaysRevalidates: control.noCache || variesOnAll,
      forbidsStale: control.noCache || control.mustRevalidate || variesOnAll,
      staleIfErrorWindow: control.staleIfError.map { $0 * 1000 } ?? Self.defaultStaleIfError,
      staleWhileRevalidateWindow: (control.staleWhileRevalidate ?? 0) * 1000)
  }

  /// §4.2.1: max-age, else Expires − Date, else a tenth of the time since Last-Modified (§4.2.2), a
  /// day at most. An unreadable Expires (`0`) means already expired (§5.3).
  private static func lifetime(
    _ control: CacheControl, _ fields: ResponseFields, date: Int64, now: Int64
  ) -> Int64 {
    if let maxAge = control.maxAge { return maxAge * 1000 }
    if let expires = fields.first("expires") {
      guard let time = HTTPDate.parse(expires, now: now) else { return 0 }
      return max(0, time - date)
    }
    guard let modified = fields.lastModified.flatMap({ HTTPDate.parse($0, now: now) }) else {
      return 0
    }
    return min(max(0, (date - modified) / 10), maxHeuristicLifetime)
  }

  /// §4.2.3. An Age that cannot be read is ignored (§5.1).
  private static func initialAge(
    _ fields: ResponseFields, date: Int64?, requestTime: Int64, responseTime: Int64
  ) -> Int64 {
    let apparentAge = date.map { max(0, responseTime - $0) } ?? 0
    let firstAge = fields.first("age")?.split(separator: ",").first
    let age = CacheControl.deltaSeconds(firstAge.map { CacheControl.trimmed($0) }) ?? 0
    let responseDelay = max(0, responseTime - requestTime)
    return max(apparentAge, age * 1000 + responseDelay)
  }

  /// current_age (§4.2.3); nil when the clock stands before the response.
  func age(at now: Int64) -> Int64? {
    guard now >= responseTime - Self.clockTolerance else { return nil }
    return initialAge.addingClamped(max(0, now - responseTime))
  }

  /// When the response stops being fresh, milliseconds since 1970.
  package var expires: Int64 {
    alwaysRevalidates ? responseTime : responseTime.addingClamped(lifetime - initialAge)
  }

  package func state(at now: Int64) -> State {
    guard let age = age(at: now) else { return forbidsStale ? .mustRevalidate : .staleIfError }
    if !alwaysRevalidates && age < lifetime { return .fresh }
    if forbidsStale { return .mustRevalidate }
    let staleness = age - lifetime
    if staleness < staleWhileRevalidateWindow { return .staleWhileRevalidate }
    return staleness < staleIfErrorWindow ? .staleIfError : .expired
  }
}
