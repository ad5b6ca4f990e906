internal import SharedCache

/// Where the cache's objects/ is served to phones, and how long what was published is kept there.
package struct PublicObjects: Sendable, Hashable {
  /// Ends with a slash.
  package let base: String
  /// `--keep-published`.
  package let keep: Duration

  /// Nil where `base` is no http or https address.
  package init?(base: String, keep: Duration) {
    guard base.hasPrefix("https://") || base.hasPrefix("http://"),
      base.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    self.base = base.hasSuffix("/") ? base : base + "/"
    self.keep = keep
  }

  /// The address of an object: the base stands for the folder objects/.
  func url(of object: ObjectName) -> String { "\(base)\(object.shard)/\(object.fileName)" }
}
