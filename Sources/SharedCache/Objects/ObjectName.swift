package import Media

/// The name of an immutable file of the cache, made from its content.
package struct ObjectName: Sendable, Hashable {
  /// Where a file lives: only objects/ may be served to others.
  package enum Area: String, Sendable, Hashable, CaseIterable {
    /// Renditions and attachable media, free of metadata.
    case objects
    /// Bytes as downloaded, which may hold a place; evicted first.
    case originals
  }

  package let hash: ContentHash
  /// Lower-case ASCII letters and digits; nil for an original.
  package let fileExtension: String?

  /// A rendition or a media file in a known format.
  package init(_ hash: ContentHash, format: MediaFormat) {
    self.hash = hash
    self.fileExtension = format.fileExtensions.first ?? "bin"
  }

  /// Bytes as they were downloaded.
  package init(original hash: ContentHash) {
    self.hash = hash
    self.fileExtension = nil
  }

  /// Reads a name as it stands in a shard; nil for what no cache writes.
  package init?(fileName: String, area: Area) {
    let parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
    guard let first = parts.first, let hash = ContentHash(hex: first) else { return nil }
    self.hash = hash
    switch (area, parts.count) {
    case (.originals, 1): fileExtension = nil
    case (.objects, 2) where Self.isExtension(parts[1]): fileExtension = String(parts[1])
    default: return nil
    }
  }

  package var area: Area { fileExtension == nil ? .originals : .objects }

  /// `<sha256>.<ext>`, or the hash alone for an original.
  package var fileName: String {
    guard let fileExtension else { return hash.hex }
    return "\(hash.hex).\(fileExtension)"
  }

  /// The directory in its area: the first two digits of the hash.
  package var shard: String { String(hash.hex.prefix(2)) }

  /// The path under the cache directory.
  package var relativePath: String { "\(area.rawValue)/\(shard)/\(fileName)" }

  private static func isExtension(_ text: Substring) -> Bool {
    (1...8).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      }
  }
}
