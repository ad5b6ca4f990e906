/// A published object and its length.
package struct StoredObject: Sendable, Hashable {
  package let name: ObjectName
  package let bytes: Int

  package init(name: ObjectName, bytes: Int) {
    self.name = name
    self.bytes = bytes
  }
}

/// How a consumer got its file.
package enum LinkMethod: String, Sendable, Hashable {
  /// A second name for the cache's file: costs no space.
  case hardLink
  /// A file of its own on shared blocks (FICLONE).
  case reflink
  /// A file of its own: other file system, too many links, or other owner.
  case copy
}
