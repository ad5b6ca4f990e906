package import Media

/// What bytes are to become in the cache.
package enum ObjectKind: Sendable, Hashable {
  /// As downloaded: kept apart, never served.
  case original
  /// A rendition or attachable media in this format, free of metadata.
  case object(MediaFormat)

  func name(for hash: ContentHash) -> ObjectName {
    switch self {
    case .original: ObjectName(original: hash)
    case .object(let format): ObjectName(hash, format: format)
    }
  }
}
