internal import Media

extension ResponseFields {
  /// A redirect on the way to an answer.
  package struct Redirect: Sendable, Hashable {
    package var status: Int
    package var fields: ResponseFields

    package init(status: Int, fields: ResponseFields) {
      self.status = status
      self.fields = fields
    }
  }

  /// Ours, not HTTP's: no answer brings it along.
  static let redirectsName = "wirephoto-redirects"

  /// The same of an answer that came by redirects: an address leads to it only as long as they may
  /// be used themselves. A permanent one may be without a word (RFC 9110 §15.1), others only as
  /// they say.
  package func reached(
    by redirects: [Redirect], requestTime: Int64, responseTime: Int64
  ) -> ResponseFields {
    guard !redirects.isEmpty else { return self }
    let ways = redirects.map { redirect in
      let freshness = Freshness(
        redirect.fields, requestTime: requestTime, responseTime: responseTime)
      return (isStorable: freshness.isStorable, lifetime: redirect.lifetime(freshness))
    }
    let isStorable = ways.allSatisfy { $0.isStorable }
    let lifetime = ways.map { $0.lifetime }.min() ?? 0
    var result = self
    result.fields.append(Field(Self.redirectsName, isStorable ? "\(lifetime)" : "no-store"))
    return result
  }

  /// What the redirects on the way allow, milliseconds from the answer on; nil where there were none.
  var redirects: (isStorable: Bool, lifetime: Int64)? {
    first(Self.redirectsName).map { value in
      Int64(value).map { (true, $0) } ?? (false, 0)
    }
  }
}

extension ResponseFields.Redirect {
  fileprivate func lifetime(_ freshness: Freshness) -> Int64 {
    if freshness.alwaysRevalidates { return 0 }
    guard fields.first("expires") != nil || CacheControl(fields.all("cache-control")).maxAge != nil
    else {
      return status == 301 || status == 308 ? Freshness.longestLifetime : 0
    }
    return max(0, freshness.lifetime.addingClamped(-freshness.initialAge))
  }
}
