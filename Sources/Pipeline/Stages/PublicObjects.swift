internal import Download
internal import SharedCache

/// Where the cache's objects/ is served to phones, and how long what was published is kept there.
package struct PublicObjects: Sendable, Hashable {
  /// Ends with a slash.
  package let base: String
  /// `--keep-published`.
  package let keep: Duration

  /// Why an address cannot stand before the names of objects.
  package struct UnusableBase: Error, Sendable, Hashable {
    package let reason: String
    /// The address without what may be secret in it.
    package let shown: String

    fileprivate init(_ base: String, _ reason: String) {
      self.reason = reason
      shown = String(PayloadAddress.tidied(base).prefix { $0 != "?" && $0 != "#" })
    }
  }

  /// Throws where `base` is no address of a folder. Phones want https (contract §4); http is for
  /// trials.
  package init(base: String, keep: Duration) throws(UnusableBase) {
    guard Self.schemes.contains(where: base.lowercased().hasPrefix) else {
      throw UnusableBase(base, "expected https://")
    }
    guard let part = ["?", "#"].first(where: base.contains) else {
      self.base = try Self.folder(base)
      self.keep = keep
      return
    }
    throw UnusableBase(base, "'\(part)' cannot stand before the names of objects")
  }

  private static let schemes = ["https://", "http://"]

  private static func folder(_ base: String) throws(UnusableBase) -> String {
    let authority = base.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "\\" }
    guard !authority.contains("@") else {
      throw UnusableBase(base, "a name and password would go to every phone")
    }
    if let port = WebAddress.refusedPort(base) {
      throw UnusableBase(base, "port \(port) is refused")
    }
    // Browsers would take the first part of the path for the host that is missing.
    guard !authority.isEmpty, let address = WebAddress(base) else {
      throw UnusableBase(base, "it names no host that can be asked")
    }
    let text = address.description
    return text.hasSuffix("/") ? text : text + "/"
  }

  /// The address of an object: the base stands for the folder objects/.
  func url(of object: ObjectName) -> String { "\(base)\(object.shard)/\(object.fileName)" }
}
