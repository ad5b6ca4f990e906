/// What bytes did to a decoder, so that they are never fed to it again.
package enum PoisonReason: String, Sendable, Hashable, CaseIterable {
  /// The child died by a signal of its own making.
  case crashed
  /// The child failed at its full limits of memory or time, not at a job's short deadline.
  case failedAtFullLimits
}

extension CacheIndex {
  /// Bars bytes from a decoder until its version, which is part of `decoder`, changes.
  func poison(
    _ content: ContentHash, decoder: String, reason: PoisonReason, now: Int64
  ) throws(CacheFailure) {
    try write { database throws(DatabaseFailure) in
      try database.run(
        "INSERT OR REPLACE INTO poison VALUES (?, ?, ?, ?)",
        [SQLValue(content), .text(decoder), .text(reason.rawValue), .integer(now)])
    }
  }

  func poisonReason(_ content: ContentHash, decoder: String) -> PoisonReason? {
    let rows = read { database throws(DatabaseFailure) in
      try database.run(
        "SELECT reason FROM poison WHERE hash = ? AND decoder = ?",
        [SQLValue(content), .text(decoder)])
    }
    return rows?.first?.first?.text.flatMap(PoisonReason.init(rawValue:))
  }
}
