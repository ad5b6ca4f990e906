/// How much room the cache may take, in bytes.
package struct CacheLimits: Sendable, Hashable {
  /// `--cache-size`: objects and originals together.
  package var maxBytes: Int
  /// `--min-free`: what the file system keeps for others.
  package var minFree: Int

  package init(maxBytes: Int = 2_000_000_000, minFree: Int = 1_000_000_000) {
    self.maxBytes = maxBytes
    self.minFree = minFree
  }

  /// Eviction goes on a little below the limit, so that not every publication evicts.
  var lowWater: Int { maxBytes - maxBytes / 50 }
  /// Above this the housekeeper evicts, so that jobs seldom have to.
  var highWater: Int { maxBytes - maxBytes / 100 }
}

/// What an eviction did.
package struct EvictionReport: Sendable, Hashable {
  package var evicted = 0
  /// Of the evicted.
  package var bytes = 0
  /// Rows settled without removing a file: it was gone, or turned out to be linked.
  package var settled = 0
  /// The cache's size afterwards.
  package var remaining = 0
  /// Whether the limits hold afterwards. What is young, or published, may stand in the way.
  package var limitsHold = true
  /// Bytes kept because they are published: worth a warning when the limits do not hold.
  package var publishedBytes = 0
}
