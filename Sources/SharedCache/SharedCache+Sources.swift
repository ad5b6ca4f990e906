package import Media

extension SharedCache {
  /// What is known of an address: the answer to this Accept, else the one to any.
  package func lookUp(_ key: SourceKey, now: Int64 = WallClock.now()) -> SourceRecord? {
    settleIfPossible()
    return index.source(key, now: now)
  }

  /// Keeps a good answer and forgets the address's failures. The record comes back as kept; nil
  /// where the answer forbids it (no-store).
  @discardableResult
  package func store(
    _ record: SourceRecord, now: Int64 = WallClock.now()
  ) throws(CacheFailure) -> SourceRecord? {
    try index.store(record, now: now)
  }

  /// Keeps what a 304 says of a stored answer (RFC 9111 §4.3.4); as `store` otherwise.
  @discardableResult
  package func refresh(
    _ record: SourceRecord, by answer: ResponseFields, requestTime: Int64, responseTime: Int64,
    now: Int64 = WallClock.now()
  ) throws(CacheFailure) -> SourceRecord? {
    var record = record
    record.fields = record.fields.updated(by: answer)
    record.requestTime = requestTime
    record.responseTime = responseTime
    return try index.store(record, now: now)
  }

  /// Whether the address lately forbade storing: waiting for another's download is in vain.
  package func isUncacheable(_ key: SourceKey, now: Int64 = WallClock.now()) -> Bool {
    index.isUncacheable(key, now: now)
  }

  /// The failure on account of which the address should be left alone now.
  package func failure(of key: SourceKey, now: Int64 = WallClock.now()) -> FailureRecord? {
    index.failures(key).filter { $0.isInForce(at: now) }.max { $0.failedAt < $1.failedAt }
  }

  /// Remembers a failure; `retryAfter` (milliseconds) prolongs the wait, up to a day. `beginning` is
  /// the original that holds what came before it. One `ofVariantAlone` says nothing of the address
  /// to who sends another Accept.
  @discardableResult
  package func recordFailure(
    of key: SourceKey, _ kind: FailureKind, code: Problem.Code, message: String,
    retryAfter: Int64? = nil, beginning: ContentHash? = nil, ofVariantAlone: Bool = false,
    now: Int64 = WallClock.now()
  ) throws(CacheFailure) -> FailureRecord {
    try index.recordFailure(
      ofVariantAlone ? key : key.plain, kind, code: code, message: message,
      retryAfter: retryAfter, beginning: beginning, now: now)
  }
}
