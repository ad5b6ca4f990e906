extension SharedCache {
  /// The known renditions of some content, by the caller's key, which names everything that shaped
  /// them: box, fit, quality, format, encoder version. Their objects may be gone: opening tells.
  package func renditions(
    of original: ContentHash, keys: [String], now: Int64 = WallClock.now()
  ) -> [String: RenditionRecord] {
    settleIfPossible()
    return index.renditions(of: original, keys: keys, now: now)
  }

  /// Notes that a published object is a rendition of some content.
  package func store(
    _ record: RenditionRecord, of original: ContentHash, key: String
  ) throws(CacheFailure) {
    try index.store(record, of: original, key: key)
  }

  /// Bars bytes from a decoder until its version, which is part of `decoder`, changes.
  package func poison(
    _ content: ContentHash, decoder: String, reason: PoisonReason, now: Int64 = WallClock.now()
  ) throws(CacheFailure) {
    try index.poison(content, decoder: decoder, reason: reason, now: now)
  }

  /// Why bytes must not be fed to a decoder; nil where they may.
  package func poisonReason(of content: ContentHash, decoder: String) -> PoisonReason? {
    index.poisonReason(content, decoder: decoder)
  }
}
